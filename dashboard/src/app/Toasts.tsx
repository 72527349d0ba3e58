import { Notifications } from "@mantine/notifications";
import classes from "./Toasts.module.css";

/**
 * The notifications. They take space in the layout instead of lying over the page, so they never
 * cover a control.
 */
export function Toasts() {
  return (
    <div className={classes.toasts}>
      <Notifications withinPortal={false} position="bottom-left" limit={4} />
    </div>
  );
}
