import { ArrowLeft } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "../../i18n/translation";
import { Link } from "react-router";
import { PageHeader } from "../../components/page-header";
import "./imports.css";
import "./mappings.css";

/** The frame of both screens on which columns are described. */
export function MappingPage(props: {
  title: string;
  meta?: string | undefined;
  lead: string;
  back: { to: string; label: string };
  children: ReactNode;
}) {
  return (
    <>
      <nav className="imports-back">
        <Link to={props.back.to}>
          <ArrowLeft aria-hidden size={16} strokeWidth={1.75} />
          {props.back.label}
        </Link>
      </nav>
      <PageHeader title={props.title} meta={props.meta} />
      <div className="imports-lead">
        <p>{props.lead}</p>
      </div>
      {props.children}
    </>
  );
}

export function MappingSkeleton() {
  const { t } = useTranslation("common");
  return (
    <div className="imports-cards" role="status" aria-label={t("loading")}>
      {[320, 480, 400].map((width) => (
        <span key={width} className="bar" style={{ width }} />
      ))}
    </div>
  );
}
