import antd from "antd/es/locale/de_DE";
import documents from "../../../../locales/de/documents.json";
import home from "../../../../locales/de/home.json";
import imports from "../../../../locales/de/import-titles.json";
import jobs from "../../../../locales/de/jobs.json";
import messages from "../../../../locales/de/messages.json";
import partner from "../../../../locales/de/partner.json";
import payouts from "../../../../locales/de/payouts.json";
import profiles from "../../../../locales/de/profiles.json";
import schemas from "../../../../locales/de/schemas.json";
import sending from "../../../../locales/de/sending.json";
import tags from "../../../../locales/de/tags.json";
import terms from "../../../../locales/de/terms.json";
import driverFields from "../../../../locales/de/driver-fields.json";
import drivers from "../../../../locales/de/drivers.json";
import settlementFields from "../../../../locales/de/settlement-fields.json";
import settlements from "../../../../locales/de/settlements.json";
import transactions from "../../../../locales/de/transactions.json";
import types from "../../../../locales/de/types.json";
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
export const texts: Complete<PartnerTexts, typeof found, "de"> = found;
export { antd };
