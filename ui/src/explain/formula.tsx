import { type ReactNode, Fragment } from "react";
import type { Explained, Explanation } from "./queries";
import { wayOf } from "./sums";
import { useWords } from "./words";

interface Box {
  sign: string;
  number: string;
  name: string;
  result?: boolean;
}

function Boxes({ boxes }: { boxes: readonly Box[] }) {
  return (
    <p className="formula">
      {boxes.map(({ sign, number, name, result }, at) => (
        <Fragment key={`${at} ${name}`}>
          {sign && <span className="formula-sign">{sign}</span>}
          <span className={result ? "formula-box formula-result" : "formula-box"}>
            <b>{number}</b>
            <span>{name}</span>
          </span>
        </Fragment>
      ))}
    </p>
  );
}

// A minus before the first number belongs to the number; between two it stands alone.
const signed = (at: number, minus: boolean, number: string): Pick<Box, "sign" | "number"> =>
  at === 0 ? { sign: "", number: minus ? `−${number}` : number } : { sign: minus ? "−" : "+", number };

/** A figure's way from its parts to its value, with every number. */
export function Formula({ settlement, of }: { settlement: Explained; of: Explanation }): ReactNode {
  const words = useWords(settlement);
  const { t, amount } = words;
  if (of.parts.length === 0) return null;
  const way = wayOf(of);
  const boxes: Box[] = of.parts.map((part, at) => {
    const { text, minus } = words.partNumber(part);
    return { ...signed(at, minus, text), name: words.partName(part) };
  });
  const [only] = of.parts;
  const plain = of.parts.length === 1 && only?.of === 1 && Math.abs(only.times) === 1;
  const charged = of.charged ?? 0;
  const floored = way.value !== way.left;
  const steps: Box[] = [];
  if (!plain) steps.push({ sign: "=", number: amount(way.sum), name: of.cap ? t("beforeLimit") : t("result") });
  if (of.cap) {
    const limit = of.cap.rule ? words.rule(of.cap.rule) : t("payoutLeft");
    steps.push({
      sign: "→",
      number: amount(way.capped),
      name: way.capped === way.sum ? t("capFits", { amount: amount(of.cap.amount) }) : limit,
    });
  }
  if (charged !== 0) {
    steps.push({ sign: charged < 0 ? "+" : "−", number: amount(Math.abs(charged)), name: t("alreadyCharged") });
    steps.push({ sign: "=", number: amount(way.left), name: t("result") });
  }
  if (floored) steps.push({ sign: "→", number: amount(way.value), name: t("floor") });
  const last = steps.at(-1);
  if (last) last.result = true;
  return <Boxes boxes={[...boxes, ...steps]} />;
}
