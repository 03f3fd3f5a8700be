import { useTranslation } from "../../i18n/translation";
import type { Problem } from "../../api/problem";

/** What the server found wrong with a text, by field. */
export function useFieldErrors(problem: Problem | null | undefined): ReadonlyMap<string, string> {
  const { t } = useTranslation(["messages", "fields"]);
  return new Map(
    problem?.fields.map(({ name, code, params }) => [
      name,
      params?.words ? t("unknownWords", { words: params.words }) : t(`fields:${code}`, { replace: params }),
    ]),
  );
}
