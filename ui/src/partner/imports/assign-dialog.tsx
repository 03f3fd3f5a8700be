import { useDeferredValue, useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Dialog } from "../../components/dialog";
import { Notice } from "../../components/notice";
import { SearchField } from "../../components/search-field";
import { useDriverChoices } from "../../kit/lookups";

interface AssignDialogProps {
  name: string;
  /** What the search begins with. */
  search: string;
  onChoose: (driverUUID: string) => void;
  onClose: () => void;
}

/** Which of the partner's drivers somebody is. */
export function AssignDialog(props: AssignDialogProps) {
  const { t } = useTranslation(["imports", "faults"]);
  const [query, setQuery] = useState(props.search);
  const found = useDriverChoices(useDeferredValue(query.trim().slice(0, 100)));
  return (
    <Dialog title={t("assignTitle", { name: props.name })} onClose={props.onClose}>
      <div className="imports-choose">
        <SearchField label={t("searchDriver")} value={query} onChange={setQuery} />
        {found.isError && (
          <Notice tone="danger">{t(`faults:${found.error.code}`, { replace: found.error.params })}</Notice>
        )}
        {found.data?.length === 0 && <p className="imports-quiet">{t("noDriver")}</p>}
        <ul>
          {found.data?.map((driver) => (
            <li key={driver.id}>
              <button type="button" onClick={() => props.onChoose(driver.id)}>
                <b>
                  {driver.lastName} {driver.firstName}
                </b>
                <span>
                  {[driver.email, driver.phone, driver.blocked && t("driverBlocked")].filter(Boolean).join(" · ")}
                </span>
              </button>
            </li>
          ))}
        </ul>
      </div>
    </Dialog>
  );
}
