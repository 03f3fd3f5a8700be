import { useTranslation } from "../../i18n/translation";
import type { Placement } from "./pdf-calls";

/** How people call what stands in a field. */
export function useLabel() {
  const { t } = useTranslation("contractTexts");
  return ({ kind, name }: Pick<Placement, "kind" | "name">): string => {
    if (name === "") return t("chooseValue");
    if (kind === "signature") return t(name === "partner" ? "signature_partner" : "signature_driver");
    return kind === "check" ? t(`box_${name as "student"}`) : t(`value_${name as "driver.name"}`);
  };
}
