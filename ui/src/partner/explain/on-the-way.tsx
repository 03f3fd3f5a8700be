import { Clock, TriangleAlert } from "lucide-react";
import { StatusTag } from "../../components/status-tag";
import type { Issued } from "../../explain/documents";
import { useTranslation } from "../../i18n/translation";

/** Where an invoice is on its way to KSeF, or what it waits for and what to do. */
export default function OnTheWay({ at }: { at: NonNullable<Issued["onTheWay"]> }) {
  const { t } = useTranslation("documents");
  if (at === "sent") return <StatusTag tone="neutral" icon={Clock} word={t("way_sent")} />;
  return (
    <>
      <StatusTag tone="warning" icon={TriangleAlert} word={t("way_held")} />
      <p className="explain-quiet">{t(`held_${at}`)}</p>
    </>
  );
}
