import { useContext, useState } from "react";
import { Link } from "react-router";
import { useConfig } from "../session/config";
import { useSession } from "../session/session";
import { day, weekday } from "../format/date";
import { AskingLine, MarkedRow } from "./asking";
import type { Explained, Part, Row } from "./queries";
import { useWords } from "./words";

/** How many rows stand there before somebody asks for more. */
const FIRST = 20;

interface RowsProps {
  settlement: Explained;
  part: Part;
  /** Whether rows lead to the list of transactions, which drivers have not. */
  linked: boolean;
}

/** The transactions, trips and invoices behind a number, each with where it came from. */
export function Rows({ settlement, part, linked }: RowsProps) {
  const words = useWords(settlement);
  const { t, amount } = words;
  const asking = useContext(AskingLine);
  const marked = useContext(MarkedRow);
  const rows = part.rows ?? [];
  const [all, setAll] = useState(rows.slice(FIRST).some(({ id }) => id === marked));
  if (rows.length === 0) return null;
  const known = new Map(settlement.rows.map((row) => [row.id, row]));
  const shown = all ? rows : rows.slice(0, FIRST);
  const total = rows.reduce((sum, row) => sum + row.amount, 0);
  const name = words.partName(part);
  return (
    <div className="rows">
      <table>
        <caption className="sr-only">{t("rowsOf", { name })}</caption>
        <thead className="sr-only">
          <tr>
            <th scope="col">{t("rowDate")}</th>
            <th scope="col">{t("rowProvider")}</th>
            <th scope="col">{t("rowType")}</th>
            <th scope="col">{t("rowSource")}</th>
            <th scope="col">{t("amount")}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => {
            const found = row.kind === "transaction" ? known.get(row.id) : undefined;
            const invoice = row.kind === "invoice" ? settlement.invoices.find(({ id }) => id === row.id) : undefined;
            if (invoice) return <InvoiceRow key={invoice.id} invoice={invoice} linked={linked} words={words} />;
            return (
              <tr key={`${row.kind} ${row.id}`} className={row.id === marked ? "rows-marked" : undefined}>
                <td className="rows-day">{found && <Days row={found} words={words} />}</td>
                <td className="rows-provider">{found && words.providerName(found.provider)}</td>
                <td className="rows-type">
                  {found ? t(`type_${found.type as "TRIP"}`) : t(`row_${row.kind}`)}
                  {found && (found.name || found.description) && (
                    <span className="rows-name">{found.name || found.description}</span>
                  )}
                </td>
                <td className="rows-source">
                  {found && <Source settlement={settlement} row={found} linked={linked} words={words} />}
                  {found && asking && (
                    <Link
                      className="rows-ask"
                      to={`${asking}&${new URLSearchParams({ row: row.id })}`}
                      aria-label={`${t("ask")}: ${amount(row.amount)}`}
                    >
                      {t("ask")}
                    </Link>
                  )}
                </td>
                <td className="rows-amount">{amount(row.amount)}</td>
              </tr>
            );
          })}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" colSpan={4}>
              {t("sumOf", { count: rows.length })}
            </th>
            <td className="rows-amount">{amount(total)}</td>
          </tr>
        </tfoot>
      </table>
      {shown.length < rows.length && (
        <button type="button" className="rows-more" onClick={() => setAll(true)}>
          {t("more", { count: rows.length - shown.length })}
        </button>
      )}
    </div>
  );
}

type Words = ReturnType<typeof useWords>;
type Invoice = Explained["invoices"][number];

/** An invoice of the driver, which leads to its picture for whoever may see it. */
function InvoiceRow({ invoice, linked, words }: { invoice: Invoice; linked: boolean; words: Words }) {
  const session = useSession();
  const way = linked ? "/invoices" : session.role === "driver" ? "/driver/invoices" : "";
  return (
    <tr>
      <td className="rows-day">
        <time dateTime={invoice.saleDate || invoice.issueDate}>
          {weekday(invoice.saleDate || invoice.issueDate, words.language)}
        </time>
      </td>
      <td className="rows-provider">{invoice.issuerName}</td>
      <td className="rows-type">
        {words.t("row_invoice")}
        <span className="rows-name">{invoice.number}</span>
      </td>
      <td className="rows-source">
        <Led to={way && session.may("invoices.read") ? `${way}/${invoice.id}` : ""}>
          {words.t("invoiceVat", { vat: words.amount(invoice.vat) })}
        </Led>
      </td>
      <td className="rows-amount">{words.amount(invoice.gross)}</td>
    </tr>
  );
}

function Days({ row, words }: { row: Row; words: Words }) {
  const on = (day: string) => weekday(day, words.language);
  const spans = row.spanFrom !== "" && row.spanTo !== "" && row.spanFrom !== row.spanTo;
  return (
    <time dateTime={row.occurredOn}>{spans ? `${on(row.spanFrom)} – ${on(row.spanTo)}` : on(row.occurredOn)}</time>
  );
}

/** The page of a file where a row of it is marked. */
const fileAtRow = (file: string, row: string) => `/log/${file}?${new URLSearchParams({ row })}`;

/** Where a row came from: the row of its file, or who entered it and when; of a correction also what it corrects. */
function Source(props: { settlement: Explained; row: Row; linked: boolean; words: Words }) {
  const { settlement, row, linked, words } = props;
  const { timeZone } = useConfig();
  const mayOpen = useSession().may("imports.read") && linked;
  const query = new URLSearchParams({ from: row.occurredOn, to: row.occurredOn, provider: row.provider });
  const of = settlement.settled ? `/${settlement.settled.id}` : "";
  const list = linked ? `/transactions/details/${settlement.driverId}${of}?${query}` : "";
  const { corrects } = row;
  return (
    <>
      <Led to={mayOpen && row.importId ? fileAtRow(row.importId, row.id) : list}>
        {sourceText(row, words, timeZone)}
      </Led>
      {corrects && (
        <span className="rows-name">
          <Led to={mayOpen && corrects.importId ? fileAtRow(corrects.importId, corrects.id) : ""}>
            {words.t("correctsRow", { source: fileText(corrects, words) })}
          </Led>
        </span>
      )}
    </>
  );
}

/** A text that leads somewhere, unless there is nowhere to go. */
const Led = ({ to, children }: { to: string; children: string }) => (to ? <Link to={to}>{children}</Link> : children);

const fileText = ({ sourceFile, sourceRow }: Pick<Row, "sourceFile" | "sourceRow">, { t }: Words) =>
  sourceRow > 0 ? t("fileRow", { file: sourceFile, row: sourceRow }) : sourceFile;

function sourceText(row: Row, words: Words, timeZone: string): string {
  const { t, language } = words;
  if (row.sourceFile) return fileText(row, words);
  if (!row.enteredAt) return t(`source_${row.source}`);
  const when = day(row.enteredAt, language, timeZone);
  return row.enteredBy ? t("enteredBy", { who: row.enteredBy, when }) : t("enteredAt", { when });
}
