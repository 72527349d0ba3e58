import classes from "./CodeBlock.module.css";

/** Longer code scrolls. The block is focusable, so that users can scroll it by keyboard. */
export function CodeBlock({ label, children }: { label: string; children: string }) {
  return (
    <pre className={classes.code} tabIndex={0} role="region" aria-label={label}>
      <code>{children}</code>
    </pre>
  );
}
