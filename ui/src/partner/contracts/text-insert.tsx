import { ChevronDown } from "lucide-react";
import { useTranslation } from "../../i18n/translation";
import { Menu, MenuGroup, MenuItem } from "../../components/menu";
import { useTemplates } from "./calls";
import styles from "./contracts.module.css";

const PARTS = ["partner", "driver", "contract", "vehicle", "rent", "account", "company", "statement"] as const;

/** What can be put into a text: values by what they are about, boxes, places to sign, a new page. */
export function TextInsert({ onPut }: { onPut: (words: string) => void }) {
  const { t } = useTranslation("contractTexts");
  const found = useTemplates();
  const { placeholders = [], boxes = [] } = found.data ?? {};
  const trigger = (words: string) => (
    <>
      {words}
      <ChevronDown aria-hidden size={16} strokeWidth={1.75} />
    </>
  );
  const looks = { triggerClass: "button button-default button-middle", placement: "below" } as const;
  return (
    <div className={styles.acts}>
      <Menu label={t("insertValue")} trigger={trigger(t("insertValue"))} {...looks}>
        {PARTS.map((part) => {
          const name = t(`part_${part}`);
          return (
            <MenuGroup key={part} label={name}>
              {placeholders
                .filter((one) => one.startsWith(`${part}.`))
                .map((one) => (
                  <MenuItem key={one} onSelect={() => onPut(`{{${one}}}`)}>
                    {t(`value_${one as "driver.name"}`)}
                  </MenuItem>
                ))}
            </MenuGroup>
          );
        })}
      </Menu>
      <Menu label={t("insertPart")} trigger={trigger(t("insertPart"))} {...looks}>
        <MenuItem onSelect={() => onPut("\n\n[signature:driver]\n[signature:partner]\n")}>{t("insertBoth")}</MenuItem>
        <MenuItem onSelect={() => onPut("\n\n[signature:driver]\n")}>{t("insertDriver")}</MenuItem>
        <MenuItem onSelect={() => onPut("\n\n[page]\n\n")}>{t("insertPage")}</MenuItem>
        <MenuItem onSelect={() => onPut("\n\n| | |\n|---|---|\n| | |\n")}>{t("insertTable")}</MenuItem>
        <MenuGroup label={t("boxes")}>
          {boxes.map((name) => (
            <MenuItem key={name} onSelect={() => onPut(`\n[check:${name}] `)}>
              {t(`box_${name as "student"}`)}
            </MenuItem>
          ))}
        </MenuGroup>
      </Menu>
    </div>
  );
}
