import type { Attachment } from '@assay/contract';
import { type KeyboardEvent, useId, useState } from 'react';
import { useAddressChoice, useAddressPart } from '../../address.ts';
import { formatCount } from '../../format/number.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Modal } from '../../ui/modal.tsx';
import { ComparisonView, MODES } from './comparison.tsx';
import { idsOf, type Viewable } from './group-attachments.ts';
import { fileUrl } from './kinds.ts';
import { aboutOf, Download, FileName, NotShown, useShowing } from './showing.tsx';
import styles from './viewer.module.css';

type Zoom = 'fit' | 'full';

/** The attachment that the address names, over the page; nothing where it names none of these. */
export const Viewer = ({ viewables }: { readonly viewables: readonly Viewable[] }) => {
  const [chosen, choose] = useAddressPart('attachment', '');
  const at = viewables.findIndex((viewable) => idsOf(viewable).some((id) => String(id) === chosen));
  if (at < 0) return null;
  return (
    <OpenViewer
      viewables={viewables}
      at={at}
      onGo={(to) => choose(String(idsOf(viewables[to]!)[0]), { replace: true })}
      onClose={() => choose('', { replace: true, also: { compare: '' } })}
    />
  );
};

interface OpenProps {
  readonly viewables: readonly Viewable[];
  readonly at: number;
  readonly onGo: (to: number) => void;
  readonly onClose: () => void;
}

const OpenViewer = ({ viewables, at, onGo, onClose }: OpenProps) => {
  const titleId = useId();
  const [zoom, setZoom] = useState<Zoom>('fit');
  const current = viewables[at]!;
  const { name, about } = factsOf(current);
  const go = (by: number): void => onGo((at + by + viewables.length) % viewables.length);
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by === undefined || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (viewables.length < 2 || usesArrows(event.target as Element)) return;
    event.preventDefault();
    go(by);
  };
  return (
    <Modal className={styles['viewer']} aria-labelledby={titleId} onClose={onClose} onKeyDown={onKeyDown}>
      <div className={styles['head']}>
        <div className={styles['title']}>
          <h2 id={titleId}>
            <FileName>{name}</FileName>
          </h2>
          <span>{about}</span>
        </div>
        <div className={styles['tools']}>
          {viewables.length > 1 && (
            <>
              <Button square aria-label="Previous" title="Previous, key ←" onClick={() => go(-1)}>
                <Icon name="arrowLeft" />
              </Button>
              <span className={styles['place']} role="status">
                {formatCount(at + 1)} of {formatCount(viewables.length)}
              </span>
              <Button square aria-label="Next" title="Next, key →" onClick={() => go(1)}>
                <Icon name="arrowRight" />
              </Button>
            </>
          )}
          {current.kind !== 'video' && (
            <Choice
              label="Zoom"
              value={zoom}
              options={[
                { value: 'fit', label: 'Fit' },
                { value: 'full', label: '100 %' },
              ]}
              onChange={setZoom}
            />
          )}
          <Downloads viewable={current} />
        </div>
        <Button look="quiet" square aria-label="Close" onClick={onClose}>
          <Icon name="cross" />
        </Button>
      </div>
      {/* At 100 % one scrolls it, by its keys too. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div key={at} className={styles['body']} data-zoom={zoom} tabIndex={zoom === 'full' ? 0 : undefined}>
        {current.kind === 'comparison' ? (
          <AddressedComparison viewable={current} zoom={zoom} />
        ) : (
          <Single kind={current.kind} attachment={current.attachment} />
        )}
      </div>
    </Modal>
  );
};

const Downloads = ({ viewable }: { readonly viewable: Viewable }) => {
  if (viewable.kind !== 'comparison') return <Download attachment={viewable.attachment} />;
  const { against, before, actual } = viewable.comparison;
  return (
    <>
      <Download attachment={before} what={against.toLowerCase()} />
      <Download attachment={actual} what="actual" />
    </>
  );
};

/** What moves by the arrow keys itself. */
const usesArrows = (target: Element): boolean => target.matches('input, video, [data-zoom="full"]');

const factsOf = (viewable: Viewable): { readonly name: string; readonly about: string } => {
  if (viewable.kind !== 'comparison') return { name: viewable.attachment.name, about: aboutOf(viewable.attachment) };
  const { name, against, actual } = viewable.comparison;
  return { name, about: `${against.toLowerCase()} and actual · attempt ${actual.attempt + 1}` };
};

type ComparisonProps = { readonly viewable: Extract<Viewable, { kind: 'comparison' }>; readonly zoom: Zoom };

const AddressedComparison = ({ viewable: { comparison }, zoom }: ComparisonProps) => {
  const [mode, setMode] = useAddressChoice('compare', MODES, 'side');
  return (
    <ComparisonView
      comparison={comparison}
      mode={mode}
      actualSize={zoom === 'full'}
      onMode={(next) => setMode(next, { replace: true })}
    />
  );
};

const Single = ({ kind, attachment }: { readonly kind: 'picture' | 'video'; readonly attachment: Attachment }) => {
  const { why, onError } = useShowing(attachment);
  const { name, path, width, height } = attachment;
  if (why !== null) return <NotShown attachment={attachment} why={why} />;
  return kind === 'video' ? (
    // oxlint-disable-next-line jsx-a11y/media-has-caption
    <video src={fileUrl(path)} controls aria-label={name} onError={onError} />
  ) : (
    <img src={fileUrl(path)} alt={name} width={width ?? undefined} height={height ?? undefined} onError={onError} />
  );
};
