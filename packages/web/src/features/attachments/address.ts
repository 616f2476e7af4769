import { useLocation, useSearchParams } from 'wouter';

/** Which attachment is open is part of the address; this gives the address with another one. */
export const useAttachmentPath = (): ((id: number, also?: Readonly<Record<string, string>>) => string) => {
  const [pathname] = useLocation();
  const [search] = useSearchParams();
  return (id, also = {}) => {
    const next = new URLSearchParams(search);
    for (const [name, value] of Object.entries({ ...also, attachment: String(id) })) next.set(name, value);
    return `${pathname}?${next.toString()}`;
  };
};
