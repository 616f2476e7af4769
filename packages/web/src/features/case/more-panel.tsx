import type { TestCaseDetails } from '@assay/contract';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Panel } from '../../ui/panel.tsx';
import { jsonOf } from './reading.ts';
import { isTold } from './sections.ts';
import styles from './more-panel.module.css';

/** Annotations, tags and whatever else was sent. */
export const MorePanel = ({ result }: { readonly result: TestCaseDetails }) => {
  const { annotations, tags, metadata } = result;
  return (
    <>
      {annotations.length > 0 && (
        <Panel title="Annotations">
          <ul className={styles['list']}>
            {annotations.map(({ type, description }, at) => (
              <li key={at}>
                <strong>{type}</strong>
                {description && <span>{isAddress(description) ? <Outside address={description} /> : description}</span>}
              </li>
            ))}
          </ul>
        </Panel>
      )}
      {tags.length > 0 && (
        <Panel title="Tags">
          <ul className={styles['tags']}>
            {tags.map((tag) => (
              <li key={tag}>{tag}</li>
            ))}
          </ul>
        </Panel>
      )}
      {isTold(metadata) && (
        <Panel title="Metadata" padded>
          <CodeBlock what="the metadata" text={jsonOf(metadata)} />
        </Panel>
      )}
    </>
  );
};

const Outside = ({ address }: { readonly address: string }) => (
  <a href={address} target="_blank" rel="noreferrer">
    {address}
  </a>
);

const isAddress = (text: string): boolean => /^https?:\/\/\S+$/.test(text);
