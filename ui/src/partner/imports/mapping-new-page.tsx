import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Link, useNavigate, useParams } from "react-router";
import { Button } from "../../components/button";
import { ErrorState } from "../../components/error-state";
import { Field } from "../../components/field";
import { Notice } from "../../components/notice";
import { FirstRows } from "./first-rows";
import { MappingForm } from "./mapping-form";
import { MappingPage, MappingSkeleton } from "./mapping-page";
import { type Rules, useAddMapping, useReadAgain } from "./mapping-queries";
import { blank, HEADS, sampleAt } from "./mapping-values";
import { isBusy, type One, useImport } from "./queries";
import { keep } from "./uploads";

/** What the columns of a file hold that no layout knows. */
export default function MappingNewPage() {
  const { id = "" } = useParams();
  const { t } = useTranslation("imports");
  const found = useImport(id);
  const one = found.data;
  return (
    <MappingPage
      title={t("mapTitle")}
      meta={one?.import.fileName}
      lead={t("mapLead")}
      back={{ to: "/upload", label: t("mapBack") }}
    >
      {found.isError && !one ? (
        <ErrorState
          title={t("oneFailed")}
          undone={t("unchanged")}
          problem={found.error}
          onRetry={() => void found.refetch()}
        />
      ) : !one || isBusy(one.import.status) ? (
        <MappingSkeleton />
      ) : one.import.fault !== "imports.not_recognised" ? (
        <div className="mapping">
          <Notice tone="info" action={<Link to="/upload">{t("mapBack")}</Link>}>
            {t("mapKnown")}
          </Notice>
        </div>
      ) : one.preview.rows.length === 0 ? (
        <div className="mapping">
          <Notice tone="info" action={<ReadAgain id={id} />}>
            {t("mapNoSample")}
          </Notice>
        </div>
      ) : (
        <Describe one={one} />
      )}
    </MappingPage>
  );
}

function Describe({ one }: { one: One }) {
  const { t } = useTranslation("imports");
  const navigate = useNavigate();
  const add = useAddMapping();
  const { parts, rows } = one.preview;
  const [part, setPart] = useState(parts[0]?.name ?? "");
  const guessed = parts.find(({ name }) => name === part)?.headLine ?? 0;
  const [said, setSaid] = useState<number>();
  const headLine = said ?? guessed;
  const sample = sampleAt(one, part, headLine);
  const [initial] = useState(() => blank(one.import.fileName.replace(/\.[^.]*$/, "").slice(0, 100)));
  const leave = () => navigate("/upload");
  const save = async (name: string, rules: Rules) => {
    keep(one.import.id); // its card shows what becomes of it
    await add.mutateAsync({ name, ...sample.place, ...rules });
    await leave();
  };
  const where = (
    <div className="mapping-where">
      {parts.length > 1 && (
        <Field label={t("mapPart")}>
          {(control) => (
            <select
              {...control}
              value={part}
              onChange={({ target }) => {
                setPart(target.value);
                setSaid(undefined);
              }}
            >
              {parts.map(({ name }) => (
                <option key={name} value={name}>
                  {name || t("wholeFile")}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      <Field label={t("mapHeadRow")}>
        {(control) => (
          <select {...control} value={headLine} onChange={({ target }) => setSaid(Number(target.value))}>
            {rows
              .filter((row) => row.part === part)
              .slice(0, HEADS)
              .map(({ line, cells }) => (
                <option key={line} value={line}>
                  {[line, cells.filter(Boolean).join(", ").slice(0, 80)].join(": ")}
                </option>
              ))}
          </select>
        )}
      </Field>
      <FirstRows preview={{ ...one.preview, parts: parts.map((known) => ({ ...known, head: [] })) }} />
    </div>
  );
  return (
    <MappingForm
      initial={initial}
      sample={sample}
      where={where}
      save={t("mapSave")}
      onSave={save}
      onLeave={() => void leave()}
      remedy={({ code }) => code === "imports.mapping_taken" && <ReadAgain id={one.import.id} />}
    />
  );
}

/** Has the stored file read once more; this screen then shows what was found. */
function ReadAgain({ id }: { id: string }) {
  const { t } = useTranslation(["imports", "faults"]);
  const again = useReadAgain();
  return (
    <>
      {again.isError && t(`faults:${again.error.code}`, { replace: again.error.params })}
      <Button loading={again.isPending} onClick={() => again.mutate(id)}>
        {t("readAgain")}
      </Button>
    </>
  );
}
