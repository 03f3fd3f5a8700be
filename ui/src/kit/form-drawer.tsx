import { Drawer, Form, type FormInstance } from "antd";
import { X } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useTranslation } from "../i18n/translation";
import { Button } from "../components/button";
import { type FieldCode, Problem } from "../api/problem";
import { NARROW, useMedia } from "../browser/media";
import { recall, remember } from "../browser/storage";
import { Notice } from "../components/notice";
import { Refusal } from "../components/refusal";
import { useFocusBack } from "./focus-back";
import { UnsavedQuestion } from "./unsaved-question";
import "./form-drawer.css";

interface FormDrawerProps<Values extends object> {
  title: string;
  note: string;
  submit: string;
  /** What was not done when the server refuses. */
  undone: string;
  /** Names the draft that survives the end of a session; it must name the person too. */
  draft: string;
  /** Words for a refused field that say more than its code alone. */
  refused?: (field: string, code: FieldCode) => string | undefined;
  onSubmit: (values: Values) => Promise<unknown>;
  /** Leaves the address at which the drawer is open. */
  onClose: () => void;
  children: ReactNode;
}

/**
 * A form beside the list it belongs to. The server checks: what it refuses is shown at its field,
 * the reason above, and nothing typed is ever lost without a question.
 */
export function FormDrawer<Values extends object>(props: FormDrawerProps<Values>) {
  const { t } = useTranslation(["common", "faults", "fields"]);
  useFocusBack();
  const narrow = useMedia(NARROW);
  const [form] = Form.useForm<Values>();
  const [problem, setProblem] = useState<Problem>();
  const [busy, setBusy] = useState(false);
  const restored = useDraft(props.draft, form);
  const saved = useRef(false);
  const fields = useRef<HTMLDivElement>(null);
  const unsaved = () => !saved.current && (form.isFieldsTouched() || restored);

  const send = async (values: Values) => {
    setBusy(true);
    setProblem(undefined);
    try {
      await props.onSubmit(values);
      saved.current = true;
      props.onClose();
    } catch (reason) {
      if (!(reason instanceof Problem)) throw reason;
      if (reason.status === 401) remember("sessionStorage", `draft.${props.draft}`, JSON.stringify(values));
      setProblem(reason);
      const refused = reason.fields.map(({ name, code, params }) => ({
        name,
        errors: [props.refused?.(name, code) ?? t(`fields:${code}`, { replace: params ?? {} })],
      }));
      form.setFields(refused as Parameters<typeof form.setFields>[0]);
    } finally {
      setBusy(false);
    }
  };
  const leave = () => {
    if (!busy) props.onClose();
  };

  return (
    <Drawer
      open
      size={narrow ? "100%" : 620}
      closable={false}
      onClose={leave}
      // The drawer takes the focus while it opens; a person who opened it wants to type.
      afterOpenChange={(open) => {
        if (open && !fields.current?.contains(document.activeElement))
          fields.current?.querySelector<HTMLElement>("input, select, textarea")?.focus();
      }}
      className="form-drawer"
      title={
        <div className="form-drawer-head">
          <div>
            <h2>{props.title}</h2>
            <p>{props.note}</p>
          </div>
          <Button kind="text" aria-label={t("close")} icon={<X size={18} strokeWidth={1.75} />} onClick={leave} />
        </div>
      }
      footer={
        <div className="form-drawer-foot">
          <Button onClick={leave} disabled={busy}>
            {t("cancel")}
          </Button>
          <Button kind="primary" loading={busy} onClick={form.submit}>
            {props.submit}
          </Button>
        </div>
      }
    >
      {problem && (
        <Refusal
          problem={problem}
          undone={props.undone}
          onLeave={() => {
            saved.current = true; // it is kept as a draft: leaving costs nothing
          }}
        />
      )}
      {restored && !problem && <Notice tone="info">{t("draftRestored")}</Notice>}
      <Form
        form={form}
        layout="vertical"
        requiredMark={false}
        validateTrigger={[]}
        onFinish={(values) => void send(values)}
      >
        <div ref={fields}>{props.children}</div>
      </Form>
      <UnsavedQuestion unsaved={unsaved} />
    </Drawer>
  );
}

// A session that ends in the middle of a form must not cost what was typed.
function useDraft<Values extends object>(name: string, form: FormInstance<Values>): boolean {
  const [values] = useState(() => recall("sessionStorage", `draft.${name}`));
  useEffect(() => {
    if (values === null) return;
    form.setFieldsValue(JSON.parse(values) as Parameters<typeof form.setFieldsValue>[0]);
    remember("sessionStorage", `draft.${name}`, null);
  }, [values, form, name]);
  return values !== null;
}
