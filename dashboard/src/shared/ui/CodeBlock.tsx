import classes from "./CodeBlock.module.css";

/** Scrolls when it is long, so that it can be reached by keyboard. */
export function CodeBlock({ label, children }: { label: string; children: string }) {
  return (
    <pre className={classes.code} tabIndex={0} role="region" aria-label={label}>
      <code>{children}</code>
    </pre>
  );
}
