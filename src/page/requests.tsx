import { useLayoutEffect, useState } from 'preact/hooks';
import { unmistakable } from '../core/text/printable.js';
import type { LiveRequest } from '../cli/web/live-troupes.js';
import { Blocked, DecideButton } from './decide-button.js';
import { Form } from './request-form.js';
import { Questions } from './request-questions.js';
import { attempt, live, notice } from './state.js';
import { age } from './words.js';

/** How long nothing can be decided after the requests have moved: a click was meant for what stood there before. */
const SETTLE_MS = 500;

/** The requests of all running troupes, oldest first. */
export function Requests() {
  const { requests } = live.value;
  const [isSettled, setSettled] = useState(false);
  const ids = requests.map(({ requestId }) => requestId).join();
  useLayoutEffect(() => {
    setSettled(false);
    const timer = setTimeout(() => setSettled(true), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [ids]);
  return (
    <section aria-label="Requests" class="requests" aria-live="polite">
      <h2>Requests ({requests.length})</h2>
      {requests.length === 0 ? <p>No request waits.</p> : null}
      {requests.map((request) => (
        <Request key={request.requestId} request={request} isSettled={isSettled} />
      ))}
    </section>
  );
}

export type Decide = (how: object) => void;

function Request({
  request,
  isSettled,
}: {
  readonly request: LiveRequest;
  readonly isSettled: boolean;
}) {
  const { requestId, kind, shown, path, at } = request;
  const [message, setMessage] = useState('');
  const [isSent, setSent] = useState(false);
  const [problem, setProblem] = useState('');
  const send = async (how: object): Promise<void> => {
    setSent(true);
    const said = message.trim() === '' ? {} : { message };
    const { isDone, text } = await attempt('/decide', { requestId, ...said, ...how });
    setSent(isDone);
    setProblem(isDone ? '' : text);
    if (isDone) notice.value = text;
  };
  const decide: Decide = (how) => void send(how);
  return (
    <article aria-label={unmistakable(shown.head)}>
      <h3>
        <bdi>{unmistakable(shown.head)}</bdi>
      </h3>
      {kind === 'question' || kind === 'elicitation' ? null : <Blocks blocks={shown.blocks} />}
      {shown.details.map((line) => (
        <p key={line} class="detail">
          {unmistakable(line)}
        </p>
      ))}
      <p>
        {unmistakable(shown.why)} <small>{age(Date.now() - at)} ago</small>
      </p>
      {path === undefined ? null : <p class="path">Path: {unmistakable(path)}</p>}
      <div class="decide">
        <Blocked.Provider value={isSent || !isSettled}>
          <Answers request={request} decide={decide} />
          <label class="words">
            {kind === 'plan' ? 'Feedback on the plan' : 'Words for the agent'}
            <input value={message} onInput={(event) => setMessage(event.currentTarget.value)} />
          </label>
          <DecideButton onDecide={() => decide({ behavior: 'deny' })}>
            {REFUSALS[kind] ?? 'Deny'}
          </DecideButton>
        </Blocked.Provider>
      </div>
      {problem === '' ? null : <p role="alert">{unmistakable(problem)}</p>}
    </article>
  );
}

const REFUSALS: Readonly<Record<string, string>> = {
  plan: 'Keep planning',
  question: 'Refuse',
  elicitation: 'Decline',
};

function Answers({ request, decide }: { readonly request: LiveRequest; readonly decide: Decide }) {
  if (request.kind === 'question') return <Questions request={request} decide={decide} />;
  if (request.kind === 'elicitation') return <Form request={request} decide={decide} />;
  return <Choices request={request} decide={decide} />;
}

function Blocks({ blocks }: Pick<LiveRequest['shown'], 'blocks'>) {
  return (
    <>
      {blocks.map(({ title, lines }, index) => (
        <div key={index} class="block">
          {title === undefined ? null : <b>{unmistakable(title.text.trim())}</b>}
          <pre>
            {lines.map((line, number) => (
              <span key={number} class={line.style ?? ''}>
                {unmistakable(line.prefix.slice(4) + line.text)}
                {'\n'}
              </span>
            ))}
          </pre>
        </div>
      ))}
    </>
  );
}

function Choices({ request, decide }: { readonly request: LiveRequest; readonly decide: Decide }) {
  const { always, kind, input } = request;
  const [draft, setDraft] = useState<string | undefined>(undefined);
  if (draft !== undefined)
    return (
      <>
        <textarea
          aria-label="Input that runs instead, as JSON"
          value={draft}
          onInput={(event) => setDraft(event.currentTarget.value)}
        />
        <DecideButton isMain onDecide={() => decide({ behavior: 'allow', ...edited(draft) })}>
          Allow as edited
        </DecideButton>
        <button type="button" onClick={() => setDraft(undefined)}>
          Back
        </button>
      </>
    );
  const isPlan = kind === 'plan';
  return (
    <>
      <DecideButton isMain onDecide={() => decide({ behavior: 'allow' })}>
        {isPlan ? 'Approve' : 'Allow once'}
      </DecideButton>
      {always.session === undefined ? null : (
        <DecideButton onDecide={() => decide({ behavior: 'allow', always: 'session' })}>
          {isPlan ? 'Approve, with' : 'Allow in this session:'} {unmistakable(always.session)}
        </DecideButton>
      )}
      {always.folder === undefined ? null : (
        <DecideButton onDecide={() => decide({ behavior: 'allow', always: 'folder' })}>
          Allow always in this folder: {unmistakable(always.folder)}
        </DecideButton>
      )}
      <button type="button" onClick={() => setDraft(JSON.stringify(input, null, 2))}>
        Edit
      </button>
    </>
  );
}

/** The field of a decision with an edited input; the server refuses what is no JSON object. */
function edited(draft: string): object {
  try {
    return { input: JSON.parse(draft) as unknown };
  } catch {
    return { input: draft };
  }
}
