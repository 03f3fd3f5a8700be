import { ChevronDown } from "lucide-react";
import { useTranslation } from "../../i18n/translation";
import { Menu, MenuGroup, MenuItem } from "../../components/menu";
import { useTemplates } from "./calls";
import type { Placement } from "./pdf-calls";

const PARTS = ["partner", "driver", "contract", "vehicle", "rent", "account", "company", "statement"] as const;

/** What can be put onto a page: signatures, values by what they are about, boxes to tick. */
export function PlacementMenu({ onAdd }: { onAdd: (kind: Placement["kind"], name: string) => void }) {
  const { t } = useTranslation("contractTexts");
  const { placeholders = [], boxes = [] } = useTemplates().data ?? {};
  return (
    <Menu
      label={t("addField")}
      trigger={
        <>
          {t("addField")}
          <ChevronDown aria-hidden size={16} strokeWidth={1.75} />
        </>
      }
      triggerClass="button button-default button-middle"
      placement="below"
    >
      <MenuGroup label={t("addSignature")}>
        <MenuItem onSelect={() => onAdd("signature", "driver")}>{t("signature_driver")}</MenuItem>
        <MenuItem onSelect={() => onAdd("signature", "partner")}>{t("signature_partner")}</MenuItem>
      </MenuGroup>
      {PARTS.map((part) => {
        const about = t(`part_${part}`);
        return (
          <MenuGroup key={part} label={about}>
            {placeholders
              .filter((one) => one.startsWith(`${part}.`))
              .map((one) => (
                <MenuItem key={one} onSelect={() => onAdd("text", one)}>
                  {t(`value_${one as "driver.name"}`)}
                </MenuItem>
              ))}
          </MenuGroup>
        );
      })}
      <MenuGroup label={t("boxes")}>
        {boxes.map((name) => (
          <MenuItem key={name} onSelect={() => onAdd("check", name)}>
            {t(`box_${name as "student"}`)}
          </MenuItem>
        ))}
      </MenuGroup>
    </Menu>
  );
}
