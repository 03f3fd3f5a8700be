import antd from "antd/es/locale/en_GB";
import documents from "../../../../locales/en/documents.json";
import home from "../../../../locales/en/home.json";
import imports from "../../../../locales/en/import-titles.json";
import jobs from "../../../../locales/en/jobs.json";
import messages from "../../../../locales/en/messages.json";
import partner from "../../../../locales/en/partner.json";
import payouts from "../../../../locales/en/payouts.json";
import profiles from "../../../../locales/en/profiles.json";
import schemas from "../../../../locales/en/schemas.json";
import sending from "../../../../locales/en/sending.json";
import tags from "../../../../locales/en/tags.json";
import terms from "../../../../locales/en/terms.json";
import driverFields from "../../../../locales/en/driver-fields.json";
import drivers from "../../../../locales/en/drivers.json";
import settlementFields from "../../../../locales/en/settlement-fields.json";
import settlements from "../../../../locales/en/settlements.json";
import transactions from "../../../../locales/en/transactions.json";
import types from "../../../../locales/en/types.json";
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
export const texts: Complete<PartnerTexts, typeof found, "en"> = found;
export { antd };
