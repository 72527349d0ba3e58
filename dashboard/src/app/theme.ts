import { createTheme, Modal, Drawer, Tooltip, ActionIcon, Avatar } from "@mantine/core";

/**
 * The locking of the page's scroll would write a style element, which the content security policy
 * refuses: styles.css does it. Colours are in styles.css, too.
 */
export const theme = createTheme({
  cursorType: "pointer",
  defaultRadius: "md",
  respectReducedMotion: true,
  components: {
    Modal: Modal.extend({ defaultProps: { lockScroll: false, centered: true } }),
    Drawer: Drawer.extend({ defaultProps: { lockScroll: false } }),
    Tooltip: Tooltip.extend({ defaultProps: { withArrow: true, openDelay: 300 } }),
    // Those whose shades can be read as they are.
    Avatar: Avatar.extend({
      defaultProps: {
        allowedInitialsColors: ["blue", "cyan", "grape", "indigo", "pink", "violet"],
      },
    }),
    ActionIcon: ActionIcon.extend({ defaultProps: { variant: "subtle", color: "gray" } }),
  },
});
