import antd from "antd/es/locale/pl_PL";
import documents from "../../../../locales/pl/documents.json";
import home from "../../../../locales/pl/home.json";
import imports from "../../../../locales/pl/import-titles.json";
import jobs from "../../../../locales/pl/jobs.json";
import messages from "../../../../locales/pl/messages.json";
import partner from "../../../../locales/pl/partner.json";
import payouts from "../../../../locales/pl/payouts.json";
import profiles from "../../../../locales/pl/profiles.json";
import schemas from "../../../../locales/pl/schemas.json";
import sending from "../../../../locales/pl/sending.json";
import tags from "../../../../locales/pl/tags.json";
import terms from "../../../../locales/pl/terms.json";
import driverFields from "../../../../locales/pl/driver-fields.json";
import drivers from "../../../../locales/pl/drivers.json";
import settlementFields from "../../../../locales/pl/settlement-fields.json";
import settlements from "../../../../locales/pl/settlements.json";
import transactions from "../../../../locales/pl/transactions.json";
import types from "../../../../locales/pl/types.json";
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
export const texts: Complete<PartnerTexts, typeof found, "pl"> = found;
export { antd };
