import classes from "./CodeBlock.module.css";

/**
 * A code block with a maximum height. Longer code scrolls. The code block is focusable, so that
 * users can also scroll it by keyboard.
 */
export function CodeBlock({ label, children }: { label: string; children: string }) {
  return (
    <pre className={classes.code} tabIndex={0} role="region" aria-label={label}>
      <code>{children}</code>
    </pre>
  );
}
