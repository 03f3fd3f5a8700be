import antd from "antd/es/locale/uk_UA";
import documents from "../../../../locales/uk/documents.json";
import home from "../../../../locales/uk/home.json";
import imports from "../../../../locales/uk/import-titles.json";
import jobs from "../../../../locales/uk/jobs.json";
import messages from "../../../../locales/uk/messages.json";
import partner from "../../../../locales/uk/partner.json";
import payouts from "../../../../locales/uk/payouts.json";
import profiles from "../../../../locales/uk/profiles.json";
import schemas from "../../../../locales/uk/schemas.json";
import sending from "../../../../locales/uk/sending.json";
import tags from "../../../../locales/uk/tags.json";
import terms from "../../../../locales/uk/terms.json";
import driverFields from "../../../../locales/uk/driver-fields.json";
import drivers from "../../../../locales/uk/drivers.json";
import settlementFields from "../../../../locales/uk/settlement-fields.json";
import settlements from "../../../../locales/uk/settlements.json";
import transactions from "../../../../locales/uk/transactions.json";
import types from "../../../../locales/uk/types.json";
import type { Complete, PartnerTexts } from "../words";

const found = {
  documents,
  home,
  imports,
  jobs,
  messages,
  partner,
  payouts,
  profiles,
  schemas,
  sending,
  tags,
  terms,
  drivers: { ...driverFields, ...drivers },
  settlements: { ...settlementFields, ...settlements },
  transactions: { ...transactions, ...types },
};
export const texts: Complete<PartnerTexts, typeof found, "uk"> = found;
export { antd };
