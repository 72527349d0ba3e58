import { UserAvatar } from "./UserAvatar.tsx";
import classes from "./PersonName.module.css";

/** The name of a person or program beside an avatar. */
export function PersonName({ name }: { name: string }) {
  return (
    <span className={classes.person}>
      <UserAvatar name={name} />
      <span className={classes.name}>{name}</span>
    </span>
  );
}
