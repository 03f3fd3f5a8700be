import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Button } from "../../components/button";
import { Problem } from "../../api/problem";
import { Dialog } from "../../components/dialog";
import { Field } from "../../components/field";
import { Notice } from "../../components/notice";
import { type Offer, type Seller, useIssue, useSendAgain } from "../../explain/documents";

/** Asks what the document says of the driver's company, as the one before had it, and issues it. */
export function IssueDialog(props: { settlement: string; offer: Offer; again?: string; onClose: () => void }) {
  const { t } = useTranslation(["explain", "faults", "fields", "common"]);
  const { kind, seller } = props.offer;
  const [typed, setTyped] = useState<Seller>(seller);
  const [problem, setProblem] = useState<Problem>();
  const first = useIssue(props.settlement);
  const second = useSendAgain(props.again ?? "");
  const issue = props.again ? second : first;
  const send = async () => {
    setProblem(undefined);
    try {
      await issue.mutateAsync(typed);
      props.onClose();
    } catch (reason) {
      if (!(reason instanceof Problem)) throw reason;
      setProblem(reason);
    }
  };
  const wrong = (name: string) => {
    const found = problem?.fields.find((field) => field.name === name);
    return found && t(`fields:${found.code}`, { replace: found.params ?? {} });
  };
  const fields = [
    { name: "name", label: t("seller_name") },
    { name: "street", label: t("seller_street") },
    { name: "place", label: t("seller_place") },
  ] as const;
  const title = props.again ? t("sendAgain") : t(`issue_${kind}`);
  return (
    <Dialog title={title} onClose={props.onClose}>
      <form
        className="explain-issue"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <p>{t(props.again ? "sendAgainNote" : "issueNote")}</p>
        {problem && <Notice tone="danger">{t(`faults:${problem.code}`, { replace: problem.params })}</Notice>}
        {fields.map(({ name, label }) => (
          <Field key={name} label={label} error={wrong(name)}>
            {(control) => (
              <input
                {...control}
                type="text"
                autoComplete="off"
                value={typed[name] ?? ""}
                onChange={({ target }) => setTyped({ ...typed, [name]: target.value })}
              />
            )}
          </Field>
        ))}
        <div className="explain-issue-actions">
          <Button onClick={props.onClose}>{t("common:cancel")}</Button>
          <Button kind="primary" type="submit" loading={issue.isPending}>
            {title}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
