import { documents } from "./documents";
import { drivers } from "./drivers";
import { imports } from "./imports";
import { jobs } from "./jobs";
import { merge } from "./merge";
import { partner } from "./partner";
import { payouts } from "./payouts";
import { people } from "./people";
import { profiles } from "./profiles";
import { schemas } from "./schemas";
import { sending } from "./sending";
import { settlements } from "./settlements";
import { tags } from "./tags";
import { terms } from "./terms";
import { transactions } from "./transactions";

export const texts = {
  documents,
  drivers,
  imports,
  jobs,
  merge,
  partner,
  payouts,
  people,
  profiles,
  schemas,
  sending,
  settlements,
  tags,
  terms,
  transactions,
};
