import { Notifications } from "@mantine/notifications";
import classes from "./Toasts.module.css";

/** The notifications take space in the layout, so that they never cover a control. */
export function Toasts() {
  return (
    <div className={classes.toasts}>
      <Notifications withinPortal={false} position="bottom-left" limit={4} />
    </div>
  );
}
