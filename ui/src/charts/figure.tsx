import { ChartColumn, Download, Table2 } from "lucide-react";
import { type ReactNode, useId, useRef } from "react";
import { save } from "../browser/save";
import { shortcutsOn } from "../browser/shortcuts";
import { Menu, MenuItem } from "../components/menu";
import { useLanguage } from "../i18n";
import { useTranslation } from "../i18n/translation";
import { DataTable } from "./data-table";
import { pngOf, svgOf } from "./picture";
import { TABLES, useTable } from "./tables";
import { csvOf, type Table } from "./values";
import styles from "./charts.module.css";

const ICON = { "aria-hidden": true, size: 16, strokeWidth: 1.75 } as const;

interface FigureProps {
  title: string;
  /** The number that the chart is about. */
  lead?: string | undefined;
  /** What it says, after that number. */
  finding: string;
  table: Table;
  /** What its files are called, without their ending. */
  name: string;
  /** Whether it takes the whole width. */
  wide?: boolean;
  /** Whether it is a table already: then there is nothing to draw or to switch. */
  tabular?: boolean;
  children: ReactNode;
}

/** What a chart says, as one text. */
export const saidOf = (lead: string | undefined, finding: string) => [lead, finding].filter(Boolean).join(" ");

/** A chart with what it says, its numbers as a table, and both as files. */
export function Figure(props: FigureProps) {
  const { title, lead, finding, table, name, wide = false, tabular = false, children } = props;
  const { t } = useTranslation("charts");
  const language = useLanguage();
  const root = useRef<HTMLElement>(null);
  const id = useId();
  const [open, toggle] = useTable(root);
  const chart = () => root.current?.querySelector<SVGSVGElement>("svg[role='img']");
  const drawnAs = (make: (of: SVGSVGElement) => Blob | Promise<Blob>, ending: string) => () => {
    const found = chart();
    if (found) void Promise.resolve(make(found)).then((content) => save(content, `${name}.${ending}`));
  };
  const asTable = open && !tabular;
  const said = saidOf(lead, finding);
  return (
    <figure ref={root} className={styles.figure} data-wide={wide || undefined} aria-labelledby={id}>
      <figcaption>
        <h2 id={id}>{title}</h2>
        <p>
          {lead && <b>{lead}</b>} {finding}
        </p>
      </figcaption>
      <div className={styles.tools}>
        {!tabular && (
          <button
            type="button"
            aria-pressed={open}
            title={shortcutsOn() ? `${t("table")} (${TABLES.toUpperCase()})` : t("table")}
            {...(shortcutsOn() && { "aria-keyshortcuts": TABLES })}
            onClick={toggle}
          >
            {open ? <ChartColumn {...ICON} /> : <Table2 {...ICON} />}
            <span className="sr-only">{t("tableOf", { title })}</span>
          </button>
        )}
        <Menu
          label={t("download", { title })}
          placement="below"
          align="end"
          triggerClass={styles.tool ?? ""}
          trigger={<Download {...ICON} />}
        >
          {!tabular && !asTable && (
            <>
              <MenuItem onSelect={drawnAs((of) => pngOf(of, title, said), "png")}>{t("png")}</MenuItem>
              <MenuItem onSelect={drawnAs((of) => svgOf(of, title, said), "svg")}>{t("svg")}</MenuItem>
            </>
          )}
          <MenuItem onSelect={() => save(csvOf(table, language), `${name}.csv`)}>{t("csv")}</MenuItem>
        </Menu>
      </div>
      {asTable ? <DataTable caption={title} table={table} /> : children}
    </figure>
  );
}
