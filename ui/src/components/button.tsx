import { LoaderCircle } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import "./button.css";

interface ButtonProps extends Omit<ComponentProps<"button">, "type"> {
  /** How much it asks to be pressed. A screen has one primary button in view. */
  kind?: "primary" | "default" | "text" | "link" | undefined;
  /** Whether pressing it takes something away. */
  danger?: boolean | undefined;
  size?: "small" | "middle" | "large" | undefined;
  icon?: ReactNode;
  /** Something it began is going on: it keeps the focus, but cannot be pressed again. */
  loading?: boolean | undefined;
  /** As wide as what it is in. */
  block?: boolean | undefined;
  type?: "button" | "submit" | undefined;
}

/** The button of every screen. */
export function Button(props: ButtonProps) {
  const {
    kind = "default",
    danger,
    size = "middle",
    icon,
    loading,
    block,
    className,
    children,
    onClick,
    ...rest
  } = props;
  const classes = ["button", `button-${kind}`, `button-${size}`];
  if (danger) classes.push("button-danger");
  if (block) classes.push("button-block");
  if (icon && children === undefined) classes.push("button-icon");
  if (className) classes.push(className);
  return (
    <button
      type="button"
      {...rest}
      className={classes.join(" ")}
      {...(loading && { "aria-busy": true, "aria-disabled": true })}
      onClick={(event) => {
        // What matters happens once, also by a double click whose first press was quickly done.
        if (loading || (kind === "primary" && event.detail > 1)) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {loading ? <LoaderCircle aria-hidden size={16} strokeWidth={1.75} className="spin" /> : icon}
      {children !== undefined && <span>{children}</span>}
    </button>
  );
}
