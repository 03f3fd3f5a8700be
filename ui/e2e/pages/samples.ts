import { existsSync, readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";

const providers = resolve(import.meta.dirname, "../../../internal/imports/providers");

/** Where a sample of a provider's file is: every provider has those of its own. */
export function sample(name: string): string {
  const found = readdirSync(providers)
    .map((folder) => resolve(providers, folder, "testdata", name))
    .find((path) => existsSync(path));
  if (!found) {
    throw new Error(`there is no sample ${name}`);
  }
  return found;
}

const invoices = resolve(import.meta.dirname, "../../../internal/invoices/files/testdata/samples");

/** Where a sample of a digital invoice is. */
export const digitalInvoice = (name: string): string => resolve(invoices, name);

/** The same as a form sends it. */
export const invoiceFile = (name: string) => ({
  name,
  mimeType: "application/pdf",
  buffer: readFileSync(digitalInvoice(name)),
});
