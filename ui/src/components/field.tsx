import { type ReactNode, useId } from "react";
import "./field.css";

interface Control {
  id: string;
  "aria-invalid"?: true;
  "aria-required"?: true;
  "aria-describedby"?: string;
}

interface FieldProps {
  label: string;
  hint?: string | undefined;
  error?: string | undefined;
  /** Whether nothing can be saved without it. */
  required?: boolean | undefined;
  /** Draws the native control, which takes all it is given. */
  children: (control: Control) => ReactNode;
}

/** One native control with its label, its hint and what is wrong with it; large enough for a thumb. */
export function Field({ label, hint, error, required, children }: FieldProps) {
  const id = useId();
  const said = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return (
    <div className="field">
      <label htmlFor={id}>
        {label}
        {required && <RequiredMark />}
      </label>
      {children({
        id,
        ...(error && { "aria-invalid": true }),
        ...(required && { "aria-required": true }),
        ...(said && { "aria-describedby": said }),
      })}
      {hint && (
        <p id={`${id}-hint`} className="field-hint">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="field-error">
          {error}
        </p>
      )}
    </div>
  );
}

/** The sign of what must be filled in; programs that read aloud are told by the control itself. */
export const RequiredMark = () => (
  <span aria-hidden className="field-required">
    {" *"}
  </span>
);

/** A box to tick, with its words beside it. */
export function Tick(props: {
  checked: boolean;
  onChange: (checked: boolean) => void;
  error?: string | undefined;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <div className="tick">
      <label>
        <input
          type="checkbox"
          checked={props.checked}
          onChange={(event) => props.onChange(event.target.checked)}
          {...(props.error && { "aria-invalid": true, "aria-describedby": id })}
        />
        <span>{props.children}</span>
      </label>
      {props.error && (
        <p id={id} className="field-error">
          {props.error}
        </p>
      )}
    </div>
  );
}
