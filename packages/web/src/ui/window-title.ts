import { useEffect } from 'react';

export const useWindowTitle = (title: string): void =>
  useEffect(() => {
    document.title = `${title} · Assay`;
  }, [title]);
