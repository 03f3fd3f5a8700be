import { Form, Input } from "antd";
import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Problem } from "../../api/problem";
import { Button } from "../../components/button";
import { useDoneToast } from "../../components/done-toast";
import { Refusal } from "../../components/refusal";
import { useKeptText } from "../../explain/thread";
import { useLanguage } from "../../i18n";
import { TransactionFields, transactionOf, type TransactionValues } from "../../kit/transaction-fields";
import { useSession } from "../../session/session";
import { type Opened, useReply } from "./queries";
import styles from "./questions.module.css";

interface Values extends TransactionValues {
  text?: string;
}

/** A reply, with a correction where one is due. What somebody else wrote meanwhile is shown before anything is sent. */
export function AnswerForm({ question }: { question: Opened }) {
  const { t } = useTranslation(["questions", "faults", "fields"]);
  const language = useLanguage();
  const mayCorrect = useSession().may("transactions.write");
  const [form] = Form.useForm<Values>();
  const [kept, keep] = useKeptText(question.id);
  const [correcting, setCorrecting] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const [sending, setSending] = useState<"answer" | "close">();
  const reply = useReply(question.id);
  const done = useDoneToast();

  const send = async (way: "answer" | "close") => {
    if (sending) return;
    setSending(way);
    setProblem(undefined);
    const { text = "", ...values } = form.getFieldsValue();
    try {
      await reply.mutateAsync({
        text,
        seen: question.entries,
        ...(way === "close" && { close: true }),
        ...(correcting && { correction: transactionOf(values, language) }),
      });
      done(t(text.trim() ? "answered" : "nowClosed"));
      keep("");
      setCorrecting(false);
      form.resetFields();
      form.setFieldsValue({ text: "" });
    } catch (reason) {
      if (!(reason instanceof Problem)) throw reason;
      setProblem(reason);
      form.setFields(
        reason.fields.map(({ name, code, params }) => ({
          name: name as keyof Values,
          errors: [t(`fields:${code}`, { replace: params ?? {} })],
        })),
      );
    } finally {
      setSending(undefined);
    }
  };

  const written = (Form.useWatch("text", form) ?? kept).trim() !== "";
  return (
    <Form<Values>
      form={form}
      layout="vertical"
      requiredMark={false}
      className={styles.answer}
      onValuesChange={(changed) => "text" in changed && keep(changed.text ?? "")}
    >
      {problem && <Refusal undone={t("answerUndone")} problem={problem} />}
      <Form.Item name="text" label={t("answer")} initialValue={kept}>
        <Input.TextArea autoSize={{ minRows: 4, maxRows: 14 }} />
      </Form.Item>
      {correcting && (
        <section className={styles.correction} aria-label={t("withCorrection")}>
          <p className={styles.quiet}>{t("withCorrectionHelp")}</p>
          <TransactionFields />
        </section>
      )}
      <div className={styles.acts}>
        <Button kind="primary" loading={sending === "answer"} disabled={!written} onClick={() => void send("answer")}>
          {t("answerSend")}
        </Button>
        <Button
          loading={sending === "close"}
          disabled={!written && (correcting || question.state === "closed")}
          onClick={() => void send("close")}
        >
          {t(written ? "answerClose" : "close")}
        </Button>
        {mayCorrect && (
          <Button kind="text" onClick={() => setCorrecting(!correcting)}>
            {t(correcting ? "withoutCorrection" : "withCorrection")}
          </Button>
        )}
      </div>
    </Form>
  );
}
