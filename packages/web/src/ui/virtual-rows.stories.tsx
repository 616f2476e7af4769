import { useState } from 'react';
import { manyTitles } from '../sample-data.ts';
import { VirtualRows } from './virtual-rows.tsx';

const TITLES = manyTitles(10_000);

export const TenThousand = () => {
  const [opened, setOpened] = useState('nothing');
  return (
    <>
      <p role="status">Opened: {opened}</p>
      <button type="button">Before</button>
      <VirtualRows label="Tests" rows={TITLES} keyOf={itself} rowHeight={30}>
        {(title) => (
          <div style={{ height: 30 }}>
            <button type="button" onClick={() => setOpened(title)}>
              {title}
            </button>
          </div>
        )}
      </VirtualRows>
    </>
  );
};

const itself = (title: string): string => title;
