import { createTheme, Modal, Tooltip, ActionIcon } from "@mantine/core";

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
    Tooltip: Tooltip.extend({ defaultProps: { withArrow: true, openDelay: 300 } }),
    ActionIcon: ActionIcon.extend({ defaultProps: { variant: "subtle", color: "gray" } }),
  },
});
