import { Paperclip, Trash2 } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Button } from "../../components/button";
import { Problem } from "../../api/problem";
import { useSession } from "../../session/session";
import { FormDrawer } from "../../kit/form-drawer";
import { TransactionFields, transactionOf, type TransactionValues } from "../../kit/transaction-fields";
import { Notice } from "../../components/notice";
import { useLanguage } from "../../i18n";
import { ACCEPTED } from "./evidence";
import { type Transaction, useAddTransaction, useRemoveEvidence, useSaveTransaction, useSetEvidence } from "./queries";

interface TransactionDrawerProps {
  driverUUID: string;
  /** The transaction to change; without one a new one is entered. */
  row?: Transaction | undefined;
  /** The transaction stands, but its file was refused. */
  onFileRefused: (name: string, problem: Problem) => void;
  onClose: () => void;
}

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

  const submit = async (values: TransactionValues) => {
    const { kind, ...entry } = transactionOf(values, language);
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
    <FormDrawer<TransactionValues>
      title={row ? t("editTitle") : t("addTitle")}
      note={row ? t("editNote") : t("addNote")}
      submit={row ? t("save") : t("add")}
      undone={row ? t("saveFailed") : t("addFailed")}
      draft={`${user.id}.transactions.${row?.id ?? driverUUID}`}
      onSubmit={submit}
      onClose={onClose}
    >
      <TransactionFields row={row} />
      <EvidenceField row={row} file={file} onChoose={setFile} onRemoved={() => setVersion((before) => before + 1)} />
    </FormDrawer>
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
