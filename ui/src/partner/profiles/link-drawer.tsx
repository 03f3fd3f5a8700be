import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Problem } from "../../api/problem";
import { useSession } from "../../session/session";
import { Dialog } from "../../components/dialog";
import { useDoneToast } from "../../components/done-toast";
import { ErrorState } from "../../components/error-state";
import { FormDrawer } from "../../kit/form-drawer";
import { Notice } from "../../components/notice";
import { SearchField } from "../../components/search-field";
import { nameOf } from "./profile-columns";
import {
  type Driver,
  type Profile,
  type Proposal,
  useChosenDriver,
  useDriverChoices,
  useLink,
  useProfile,
  useReadDriver,
} from "./queries";

/** A driver that can be linked with, and why they are proposed; chosen by hand: no reason. */
type Choice = Omit<Proposal, "evidence"> & { evidence: readonly Proposal["evidence"][number][] };

const NEW = "";

const byHand = ({ email = "", phone = "", ...driver }: Driver): Choice => ({ ...driver, email, phone, evidence: [] });

interface LinkProps {
  profile: string;
  /** The driver it was begun from; empty: none. */
  from: string;
  onClose: () => void;
}

/** Ties somebody who chose the partner to one of its drivers; what differs stands side by side before anything is written. */
export default function LinkDrawer({ profile, from, onClose }: LinkProps) {
  const { t } = useTranslation(["profiles", "common"]);
  const beside = useProfile(profile);
  const begun = useChosenDriver(from);
  const failed = beside.error ?? begun.error;
  if (failed)
    return (
      <Dialog title={t("linkTitle")} onClose={onClose}>
        <ErrorState
          title={t("loadOneFailed")}
          undone={t("unchanged")}
          problem={failed}
          onRetry={() => void Promise.all([beside.refetch(), from && begun.refetch()])}
        />
      </Dialog>
    );
  if (!beside.data || (from && !begun.data)) return null;
  const extra: Choice[] =
    begun.data && !beside.data.proposals.some(({ id }) => id === from) ? [byHand(begun.data)] : [];
  return (
    <Decision
      key={beside.data.updatedAt}
      of={beside.data}
      choices={[...beside.data.proposals, ...extra]}
      from={from}
      onClose={onClose}
    />
  );
}

function Decision(props: { of: Profile; choices: readonly Choice[]; from: string; onClose: () => void }) {
  const { t } = useTranslation("profiles");
  const { of, choices } = props;
  const { user } = useSession();
  const link = useLink(of.id);
  const done = useDoneToast();
  const free = choices.filter(({ linked, blocked }) => !linked && !blocked);
  const [found, setFound] = useState<readonly Choice[]>([]);
  const [driverId, setDriverId] = useState(free.find(({ id }) => id === props.from)?.id ?? free[0]?.id ?? NEW);
  const [take, setTake] = useState<ReadonlySet<Part>>(new Set());
  const all = [...choices, ...found];
  const driver = all.find(({ id }) => id === driverId);
  const choose = (id: string) => {
    setDriverId(id);
    setTake(new Set());
  };
  const submit = async () => {
    await link.mutateAsync({
      driverId,
      profileAt: of.updatedAt,
      ...(driver && { version: driver.version, take: [...take] }),
    });
    done(t("linkDone", { name: nameOf(of) }));
  };
  return (
    <FormDrawer
      title={t("linkOf", { name: nameOf(of) })}
      note={t("linkLead")}
      submit={driver ? t("linkWith", { name: nameOf(driver) }) : t("linkNew")}
      undone={t("linkFailed")}
      draft={`${user.id}.profiles.link`}
      onSubmit={submit}
      onClose={props.onClose}
    >
      <fieldset className="profiles-choices">
        <legend>{t("whoIsIt")}</legend>
        {all.map((choice) => (
          <ChoiceRow key={choice.id} choice={choice} checked={choice.id === driverId} onChoose={choose} />
        ))}
        <label className="profiles-choice">
          <input type="radio" name="driver" checked={driverId === NEW} onChange={() => choose(NEW)} />
          <span>
            <b>{t("newDriver")}</b>
            <span>{t("newDriverNote")}</span>
          </span>
        </label>
      </fieldset>
      <ByHand
        known={choices.map(({ id }) => id)}
        onFound={(choice) => {
          setFound([choice]);
          choose(choice.id);
        }}
      />
      {driver ? (
        <SideBySide
          of={of}
          driver={driver}
          take={take}
          onTake={(part, on) =>
            setTake((before) => new Set([...[...before].filter((other) => other !== part), ...(on ? [part] : [])]))
          }
        />
      ) : (
        <p className="profiles-quiet">{t("newFrom", { name: nameOf(of), email: of.email, phone: of.phone })}</p>
      )}
    </FormDrawer>
  );
}

function ChoiceRow(props: { choice: Choice; checked: boolean; onChoose: (id: string) => void }) {
  const { t } = useTranslation("profiles");
  const { choice } = props;
  const why = choice.linked
    ? [t("taken")]
    : choice.blocked
      ? [t("driverKeptOut")]
      : choice.evidence.map((part) => t(`same_${part}`));
  return (
    <label className="profiles-choice">
      <input
        type="radio"
        name="driver"
        checked={props.checked}
        disabled={choice.linked || choice.blocked}
        onChange={() => props.onChoose(choice.id)}
      />
      <span>
        <b>{nameOf(choice)}</b>
        <span>{[choice.email, choice.phone].filter(Boolean).join(" · ")}</span>
        <span>{why.length > 0 ? why.join(", ") : t("byHand")}</span>
      </span>
    </label>
  );
}

/** Any other of the partner's drivers. The list says too little of them, so whoever is chosen is read whole first. */
function ByHand({ known, onFound }: { known: readonly string[]; onFound: (choice: Choice) => void }) {
  const { t } = useTranslation(["profiles", "faults"]);
  const [query, setQuery] = useState("");
  const [problem, setProblem] = useState<Problem>();
  const found = useDriverChoices(query.trim().slice(0, 100));
  const read = useReadDriver();
  const pick = async (id: string) => {
    try {
      const driver = await read(id);
      setProblem(undefined);
      setQuery("");
      onFound(byHand(driver));
    } catch (failure) {
      if (!(failure instanceof Problem)) throw failure;
      setProblem(failure);
    }
  };
  const others = query.trim() ? (found.data ?? []).filter(({ id }) => !known.includes(id)) : [];
  return (
    <div className="profiles-hand">
      <SearchField label={t("searchDriver")} value={query} onChange={setQuery} />
      {problem && <Notice tone="danger">{t(`faults:${problem.code}`, { replace: problem.params })}</Notice>}
      {query.trim() !== "" && found.data && others.length === 0 && <p className="profiles-quiet">{t("noDriver")}</p>}
      <ul>
        {others.map((driver) => (
          <li key={driver.id}>
            <button type="button" disabled={driver.linked || driver.blocked} onClick={() => void pick(driver.id)}>
              <b>{nameOf(driver)}</b> {[driver.email, driver.phone].filter(Boolean).join(" · ")}
              {driver.linked ? ` (${t("taken")})` : driver.blocked ? ` (${t("driverKeptOut")})` : ""}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

const parts = ["name", "email", "phone"] as const;

type Part = (typeof parts)[number];

const saidOf = (who: { firstName: string; lastName: string; email: string; phone: string }, part: Part) =>
  part === "name" ? nameOf(who) : who[part];

function SideBySide(props: {
  of: Profile;
  driver: Choice;
  take: ReadonlySet<Part>;
  onTake: (part: Part, on: boolean) => void;
}) {
  const { t } = useTranslation("profiles");
  const { of, driver } = props;
  const called = (part: Part) => t(`part_${part}`);
  const differ = parts.filter((part) => saidOf(of, part) !== saidOf(driver, part));
  return (
    <table className="profiles-beside">
      <caption>{differ.length > 0 ? t("besideLead") : t("besideSame")}</caption>
      <thead>
        <tr>
          <td />
          <th scope="col">{t("yours")}</th>
          <th scope="col">{t("theirs")}</th>
        </tr>
      </thead>
      <tbody>
        {parts.map((part) => (
          <tr key={part}>
            <th scope="row">{called(part)}</th>
            <td>{saidOf(driver, part) || t("nothing")}</td>
            <td>
              {saidOf(of, part)}
              {differ.includes(part) && (
                <label className="profiles-take">
                  <input
                    type="checkbox"
                    aria-label={t("takeNamed", { part: called(part) })}
                    checked={props.take.has(part)}
                    onChange={({ target }) => props.onTake(part, target.checked)}
                  />
                  <span>{t("take")}</span>
                </label>
              )}
              {part === "email" && (
                <span className="profiles-quiet">{of.emailConfirmed ? t("emailConfirmed") : t("emailTyped")}</span>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
