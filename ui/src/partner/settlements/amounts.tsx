import { useAmounts } from "../../session/amounts";

/** An amount in a cell: a zero is there, but quiet. */
export function Amount({ minor }: { minor: number }) {
  const { plain } = useAmounts();
  return <span className={minor === 0 ? "settlements-zero" : "settlements-amount"}>{plain(minor)}</span>;
}
