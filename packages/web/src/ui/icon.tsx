import type { ReactNode } from 'react';

const PATHS = {
  search: <path d="M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10Zm3.6-1.4L14 14" />,
  sun: (
    <path d="M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M3 13l1-1M12 4l1-1" />
  ),
  moon: <path d="M13.5 9.8A6 6 0 1 1 6.2 2.5a4.8 4.8 0 0 0 7.3 7.3Z" />,
  screen: <path d="M2 3h12v8H2zM6 14h4M8 11v3" />,
  chevronRight: <path d="m6 3 5 5-5 5" />,
  chevronDown: <path d="m3 6 5 5 5-5" />,
  chevronUp: <path d="m3 10 5-5 5 5" />,
  arrowLeft: <path d="M13 8H3m4-4L3 8l4 4" />,
  arrowRight: <path d="M3 8h10M9 4l4 4-4 4" />,
  copy: <path d="M5.5 5.5h8v8h-8zM2.5 10.5v-8h8" />,
  check: <path d="m3 8.5 3.5 3.5L13 4.5" />,
  cross: <path d="m4 4 8 8M12 4l-8 8" />,
  bin: <path d="M2.5 4h11M6 4V2.5h4V4M4 4l.7 9.5h6.6L12 4M6.7 6.8v4M9.3 6.8v4" />,
  gear: (
    <path d="M8 10.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4ZM8 1.5v2M8 12.5v2M14.5 8h-2M3.5 8h-2M12.6 3.4l-1.4 1.4M4.8 11.2l-1.4 1.4M12.6 12.6l-1.4-1.4M4.8 4.8 3.4 3.4" />
  ),
  person: <path d="M8 8a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM2.5 14c.6-3 2.8-4.3 5.5-4.300s4.9 1.3 5.5 4.3" />,
  branch: (
    <path d="M4.5 10.500v-6M4.5 10.500a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3ZM4.5 4.500a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3ZM11.5 6.500a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3Zm0 0c0 3-7 1.5-7 4" />
  ),
  commit: <path d="M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM1 8h4M11 8h4" />,
  file: <path d="M4 1.500h5.500L13 5v9.500H4zM9 1.500V5.500h4" />,
  outside: <path d="M9 2.500h4.500V7M13.5 2.5 7 9M6 3.500H2.500v10h10V10" />,
  menu: <path d="M2 4h12M2 8h12M2 12h12" />,
  warning: <path d="M8 1.8 15 14H1zM8 6v4M8 12v.3" />,
  info: <path d="M8 14.500a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13ZM8 7.200V11M8 4.800v.3" />,
  key: <path d="M5 11.500a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM8 8.500h6.500M12 8.500v2.500M14.5 8.500v1.5" />,
  download: <path d="M8 2v8M4.500 7 8 10.500 11.500 7M2.500 13.500h11" />,
  fullScreen: <path d="M2.500 6V2.500H6M10 2.500h3.500V6M13.500 10v3.500H10M6 13.500H2.500V10" />,
  pointer: <path d="m4 2 8.500 6-4 .8L6.800 12.500z" />,
  picture: <path d="M2 3h12v10H2zM2 11l3.500-3.500 3 3L11 8l3 3M5.500 6v.1" />,
  terminal: <path d="M2 3h12v10H2zM4.500 6l2 2-2 2M8.500 10h3" />,
  pin: <path d="M6 1.500h4M6.500 1.500v5L4 9h8L9.500 6.500v-5M8 9v5.500" />,
  pinned: <path d="M6 1.500h4M6.500 1.500v5L4 9h8L9.500 6.500v-5ZM8 9v5.500" fill="currentColor" />,
  list: <path d="M5.500 4h8M5.500 8h8M5.500 12h8M2.500 4v.1M2.500 8v.1M2.500 12v.1" />,
  offline: <path d="M1.5 6a9.5 9.5 0 0 1 13 0M4 9a6 6 0 0 1 8 0M6.5 11.800a2 2 0 0 1 3 0M2 1.500l12 13" />,
} satisfies Record<string, ReactNode>;

export type IconName = keyof typeof PATHS;

/** A line drawing of 16 by 16; says nothing to a screen reader. */
export const Icon = ({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) => (
  <svg
    width={size}
    height={size}
    viewBox="0 0 16 16"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.4"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
    focusable="false"
  >
    {PATHS[name]}
  </svg>
);
