import antd from "antd/es/locale/ru_RU";
import documents from "../../../../locales/ru/documents.json";
import home from "../../../../locales/ru/home.json";
import imports from "../../../../locales/ru/import-titles.json";
import jobs from "../../../../locales/ru/jobs.json";
import messages from "../../../../locales/ru/messages.json";
import partner from "../../../../locales/ru/partner.json";
import payouts from "../../../../locales/ru/payouts.json";
import profiles from "../../../../locales/ru/profiles.json";
import schemas from "../../../../locales/ru/schemas.json";
import sending from "../../../../locales/ru/sending.json";
import tags from "../../../../locales/ru/tags.json";
import terms from "../../../../locales/ru/terms.json";
import driverFields from "../../../../locales/ru/driver-fields.json";
import drivers from "../../../../locales/ru/drivers.json";
import settlementFields from "../../../../locales/ru/settlement-fields.json";
import settlements from "../../../../locales/ru/settlements.json";
import transactions from "../../../../locales/ru/transactions.json";
import types from "../../../../locales/ru/types.json";
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
export const texts: Complete<PartnerTexts, typeof found, "ru"> = found;
export { antd };
