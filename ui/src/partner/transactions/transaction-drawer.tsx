import { Form, Input, Radio } from "antd";
import { Paperclip, Trash2 } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { Problem } from "../../api/problem";
import { useConfig } from "../../session/config";
import { useSession } from "../../session/session";
import { FormDrawer } from "../../kit/form-drawer";
import { Notice } from "../../components/notice";
import { today } from "../../format/date";
import { parseHundredths } from "../../format/hundredths";
import { currencySign, money } from "../../format/money";
import { useLanguage } from "../../i18n";
import { ACCEPTED } from "./evidence";
import {
  type Kind,
  type Transaction,
  useAddTransaction,
  useRemoveEvidence,
  useSaveTransaction,
  useSetEvidence,
} from "./queries";

interface Values {
  kind?: Kind;
  amount?: string;
  payment?: string;
  occurredOn?: string;
  name?: string;
  reason?: string;
  description?: string;
}

interface TransactionDrawerProps {
  driverUUID: string;
  /** The transaction to change; without one a new one is entered. */
  row?: Transaction | undefined;
  /** The transaction stands, but its file was refused. */
  onFileRefused: (name: string, problem: Problem) => void;
  onClose: () => void;
}

const KINDS = ["cost", "internal", "invoice"] as const;

/** Enters a cost, an internal trip or an invoice, or changes one. */
export default function TransactionDrawer({ driverUUID, row, onFileRefused, onClose }: TransactionDrawerProps) {
  const { t } = useTranslation("transactions");
  const { user } = useSession();
  const language = useLanguage();
  const add = useAddTransaction();
  const save = useSaveTransaction();
  const attach = useSetEvidence();
  const [file, setFile] = useState<File>();
  // That of the moment of opening: the list behind reads on, and what somebody else saves meanwhile must not be lost.
  const [version, setVersion] = useState(row?.version ?? 0);

  const submit = async ({ kind = "cost", amount: typed = "", ...values }: Values) => {
    const amount = parseHundredths(typed, language);
    if (amount === undefined)
      throw new Problem("transactions.invalid", {
        fields: [{ name: "amount", code: typed.trim() ? "wrong_format" : "required" }],
      });
    const { payment = "", occurredOn = "", name = "", reason = "", description = "" } = values;
    const entry = { amount, payment, occurredOn, name: name.trim(), reason, description };
    const { transaction } = row
      ? await save.mutateAsync({ id: row.id, version, ...entry })
      : await add.mutateAsync({ driverUUID, kind, ...entry });
    if (!file) return;
    try {
      await attach.mutateAsync({ id: transaction.id, file });
    } catch (reason) {
      // The transaction is there: sending it again would book it twice.
      if (!(reason instanceof Problem)) throw reason;
      onFileRefused(transaction.name, reason);
    }
  };

  return (
    <FormDrawer<Values>
      title={row ? t("editTitle") : t("addTitle")}
      note={row ? t("editNote") : t("addNote")}
      submit={row ? t("save") : t("add")}
      undone={row ? t("saveFailed") : t("addFailed")}
      draft={`${user.id}.transactions.${row?.id ?? driverUUID}`}
      onSubmit={submit}
      onClose={onClose}
    >
      <EntryFields row={row} />
      <EvidenceField row={row} file={file} onChoose={setFile} onRemoved={() => setVersion((before) => before + 1)} />
    </FormDrawer>
  );
}

function EntryFields({ row }: { row: Transaction | undefined }) {
  const { t } = useTranslation("transactions");
  const language = useLanguage();
  const { currency, timeZone } = useConfig();
  const form = Form.useFormInstance<Values>();
  const chosen = Form.useWatch("kind", form);
  const kind = (row?.kind === "" ? undefined : row?.kind) ?? chosen ?? "cost";
  const now = today(timeZone);
  const future = (Form.useWatch("occurredOn", form) ?? "") > now;
  const entered = row && (row.kind === "cost" ? -row.amount : row.amount);
  return (
    <>
      {!row && (
        <Form.Item name="kind" label={t("kind")} initialValue="cost">
          <Radio.Group aria-label={t("kind")}>
            {KINDS.map((name) => (
              <Radio key={name} value={name}>
                {t(`kind_${name}`)}
              </Radio>
            ))}
          </Radio.Group>
        </Form.Item>
      )}
      <Form.Item
        name="amount"
        label={t("amount")}
        extra={
          <>
            {t("amountHelp")}
            {". "}
            {t(`kindHelp_${kind}`)}
          </>
        }
        initialValue={entered === undefined ? "" : money(BigInt(entered), language)}
      >
        <Input autoComplete="off" inputMode="decimal" suffix={currencySign(currency, language).trim()} />
      </Form.Item>
      <Form.Item
        name="payment"
        label={t("payment")}
        extra={t("cashHelp")}
        initialValue={row?.payment === "cash" ? "cash" : "card"}
      >
        <Radio.Group aria-label={t("payment")}>
          <Radio value="card">{t("card")}</Radio>
          <Radio value="cash">{t("cash")}</Radio>
        </Radio.Group>
      </Form.Item>
      <Form.Item name="occurredOn" label={t("date")} initialValue={row?.occurredOn ?? now}>
        <Input type="date" />
      </Form.Item>
      {future && <Notice tone="warning">{t("future")}</Notice>}
      <Form.Item name="name" label={t("name")} extra={t("nameHelp")} initialValue={row?.name ?? ""}>
        <Input autoComplete="off" />
      </Form.Item>
      <Form.Item
        name="reason"
        label={t("reason")}
        initialValue={row?.reason ?? ""}
        {...(kind === "cost" && { extra: t("reasonHelp") })}
      >
        <Input.TextArea autoSize={{ minRows: 2 }} />
      </Form.Item>
      <Form.Item name="description" label={t("description")} initialValue={row?.description ?? ""}>
        <Input autoComplete="off" />
      </Form.Item>
    </>
  );
}

interface EvidenceFieldProps {
  row: Transaction | undefined;
  file: File | undefined;
  onChoose: (file: File | undefined) => void;
  onRemoved: () => void;
}

/** The photo or PDF that shows why the transaction is right. */
function EvidenceField({ row, file, onChoose, onRemoved }: EvidenceFieldProps) {
  const { t } = useTranslation(["transactions", "faults"]);
  const remove = useRemoveEvidence();
  const input = useRef<HTMLInputElement>(null);
  return (
    <div className="transactions-evidence">
      <h3>{t("evidence")}</h3>
      <p>{t("evidenceHelp")}</p>
      {remove.isError && <Notice tone="danger">{t(`faults:${remove.error.code}`)}</Notice>}
      <input
        ref={input}
        type="file"
        className="sr-only"
        tabIndex={-1}
        aria-label={t("evidence")}
        accept={ACCEPTED.join(",")}
        onChange={({ target }) => onChoose(target.files?.[0])}
      />
      <Button icon={<Paperclip aria-hidden size={16} strokeWidth={1.75} />} onClick={() => input.current?.click()}>
        {file?.name ?? t("evidenceChoose")}
      </Button>
      {row?.evidence && !file && (
        <Button
          icon={<Trash2 aria-hidden size={16} strokeWidth={1.75} />}
          loading={remove.isPending}
          onClick={() => remove.mutate(row.id, { onSuccess: onRemoved })}
        >
          {t("evidenceRemove", { file: row.evidence })}
        </Button>
      )}
    </div>
  );
}
