import { useTranslation } from "../../i18n/translation";
import { useSession } from "../../session/session";
import { CountsTable } from "./counts-table";
import { Facts } from "./facts";
import { FirstRows } from "./first-rows";
import { MoneyTable } from "./money-table";
import { newOf } from "./names";
import { People } from "./people";
import type { Import, One, Preview } from "./queries";
import { RememberedRows } from "./remembered-rows";
import { Reread } from "./reread";
import { RowErrors } from "./row-errors";

/** Whether a file asks something that only a person can answer. */
export const asks = (preview: Preview) => preview.warnings.some(({ code }) => code === "same_money");
export const restates = (preview: Preview) => preview.changes.count > 0;

/** Whether a file can be confirmed without a question: it brings something and asks nothing. */
export const isPlain = ({ preview }: One) => !asks(preview) && !restates(preview) && newOf(preview.totals).count > 0;

/** All that importing a file would do, before anything is written. */
export function PreviewDetails({ of, preview }: { of: Import; preview: Preview }) {
  const { t } = useTranslation("imports");
  const mayWrite = useSession().may("imports.write");
  return (
    <>
      <Facts of={of} />
      <CountsTable counts={preview.counts} />
      <div className="imports-boxes">
        <MoneyTable title={t("money")} totals={preview.totals} />
        <RowErrors of={of} preview={preview} />
        <People preview={preview} />
        <RememberedRows preview={preview} />
      </div>
      <FirstRows preview={preview} />
      {mayWrite && <Reread key={of.readings} of={of} />}
    </>
  );
}
