import { type LucideIcon, SearchX } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "./button";
import { Message } from "./message";

/** A list that has nothing yet: what is missing and the next step. */
export function FirstUse(props: { icon: LucideIcon; title: string; body: string; action?: ReactNode }) {
  return (
    <Message icon={props.icon} title={props.title} actions={props.action}>
      <p>{props.body}</p>
    </Message>
  );
}

/** A list whose filters leave nothing: what was asked, how much there is without it, and a way back. */
export function NoMatch(props: { title: string; body: string; clear: string; onClear: () => void }) {
  return (
    <Message icon={SearchX} title={props.title} actions={<Button onClick={props.onClear}>{props.clear}</Button>}>
      <p>{props.body}</p>
    </Message>
  );
}
