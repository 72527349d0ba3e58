import { Avatar } from "@mantine/core";

/**
 * The Mantine colours in which initials have the contrast that WCAG 2.2 AA requires, in both
 * themes.
 */
const COLOURS = ["blue", "cyan", "indigo", "violet", "grape", "pink"] as const;

/**
 * The initials of a user in a circle. Hidden from screen readers, because the name is always beside
 * it.
 */
export function UserAvatar({ name, size = "sm" }: { name: string; size?: "sm" | "lg" }) {
  return (
    <Avatar
      name={name}
      color="initials"
      allowedInitialsColors={[...COLOURS]}
      size={size}
      alt=""
      aria-hidden
    />
  );
}
