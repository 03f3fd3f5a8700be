import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { useNavigate, useParams } from "react-router";
import { Problem } from "../../api/problem";
import { ErrorState } from "../../components/error-state";
import { useDoneToast } from "../../components/done-toast";
import { MappingForm } from "./mapping-form";
import { MappingPage, MappingSkeleton } from "./mapping-page";
import { type Mapping, useMappings, useSaveMapping } from "./mapping-queries";
import { sampleFor, valuesOf } from "./mapping-values";
import { useImport } from "./queries";

/** A remembered mapping, to be put right. */
export default function MappingEditPage() {
  const { id = "" } = useParams();
  const { t } = useTranslation("imports");
  const all = useMappings();
  const mapping = all.data?.find((one) => one.id === id);
  const gone = all.data && !mapping ? new Problem("imports.mapping_not_found") : undefined;
  const problem = gone ?? (all.data ? undefined : all.error);
  return (
    <MappingPage
      title={t("mapEditTitle")}
      meta={mapping?.name}
      lead={t("mapEditLead")}
      back={{ to: "/upload/mappings", label: t("mapsBack") }}
    >
      {problem ? (
        <ErrorState
          title={t("mapsFailed")}
          undone={t("unchanged")}
          problem={problem}
          onRetry={() => void all.refetch()}
        />
      ) : mapping ? (
        <Edit mapping={mapping} />
      ) : (
        <MappingSkeleton />
      )}
    </MappingPage>
  );
}

function Edit({ mapping }: { mapping: Mapping }) {
  const { t } = useTranslation("imports");
  const navigate = useNavigate();
  const done = useDoneToast();
  const save = useSaveMapping();
  const file = useImport(mapping.importId);
  // The version that was opened is the one that is changed, whatever comes in meanwhile.
  const [opened] = useState(mapping);
  const [initial] = useState(() => valuesOf(mapping));
  const leave = () => navigate("/upload/mappings");
  return (
    <MappingForm
      initial={initial}
      sample={sampleFor(opened, file.data)}
      save={t("mapSaveEdit")}
      onSave={async (name, rules) => {
        await save.mutateAsync({ id: opened.id, version: opened.version, name, ...rules });
        done(t("mapEditSaved", { name }));
        await leave();
      }}
      onLeave={() => void leave()}
    />
  );
}
