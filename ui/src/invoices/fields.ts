/** The fields of an invoice that a person describes, in the order in which a form shows them. */
export const FIELDS = [
  "number",
  "issueDate",
  "saleDate",
  "issuerTaxId",
  "issuerName",
  "buyerTaxId",
  "gross",
  "net",
  "vatStandard",
  "vatReduced",
  "vatOther",
  "vatZeroBase",
  "registration",
  "mileage",
  "category",
  "description",
  "correctedNumber",
  "ksefNumber",
] as const;

export type FieldName = (typeof FIELDS)[number];

/** How a field is typed. */
type Kind = "text" | "date" | "amount" | "number" | "category";

const kinds: Partial<Record<FieldName, Kind>> = {
  issueDate: "date",
  saleDate: "date",
  gross: "amount",
  net: "amount",
  vatStandard: "amount",
  vatReduced: "amount",
  vatOther: "amount",
  vatZeroBase: "amount",
  mileage: "number",
  category: "category",
};

export const kindOf = (name: FieldName): Kind => kinds[name] ?? "text";

/** What an invoice cannot be sent without. */
export const REQUIRED: readonly FieldName[] = ["number", "issueDate", "issuerTaxId", "gross"];

/** Whoever changes one of these has described the invoice, and the provision may depend on who did. */
export const DECISIVE: readonly FieldName[] = [
  "number",
  "issueDate",
  "saleDate",
  "issuerTaxId",
  "buyerTaxId",
  "net",
  "gross",
  "vatStandard",
  "vatReduced",
  "vatOther",
  "vatZeroBase",
];

/** From this confidence on a field is shown without a mark; below the second it stays empty, and what was read is a hint. */
export const SURE_FROM = 0.9;
export const LOOK_FROM = 0.6;

export const isField = (name: string): name is FieldName => FIELDS.some((one) => one === name);
