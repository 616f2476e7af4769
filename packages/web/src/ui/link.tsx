import { type ComponentProps, createContext, useContext, useRef } from 'react';
import { Link as RouterLink } from 'wouter';

/** Told where a link leads as soon as someone is about to follow it. */
export const AboutToVisit = createContext<(path: string) => void>(() => {});

type Props = Omit<ComponentProps<'a'>, 'href'> & { readonly to: string };

/** A list that is scrolled passes below the pointer; only what rests there is about to be visited. */
const RESTS_MS = 80;

/** A link to another page of the interface. */
export const Link = ({ to, onPointerEnter, onPointerLeave, onFocus, ...rest }: Props) => {
  const aboutToVisit = useContext(AboutToVisit);
  const resting = useRef<ReturnType<typeof setTimeout>>(undefined);
  return (
    <RouterLink
      href={to}
      onPointerEnter={(event) => {
        clearTimeout(resting.current);
        resting.current = setTimeout(() => aboutToVisit(to), RESTS_MS);
        onPointerEnter?.(event);
      }}
      onPointerLeave={(event) => {
        clearTimeout(resting.current);
        onPointerLeave?.(event);
      }}
      onFocus={(event) => {
        aboutToVisit(to);
        onFocus?.(event);
      }}
      {...rest}
    />
  );
};
