import { Avatar } from "@mantine/core";

/**
 * The Mantine colours that give initials enough contrast for WCAG 2.2 AA in the light and the dark
 * theme.
 */
const COLOURS = ["blue", "cyan", "indigo", "violet", "grape", "pink"] as const;

/**
 * The initials of a user in a circle. Hidden from screen readers, because the user's name is always
 * beside the circle.
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
