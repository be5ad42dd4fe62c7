import { effect } from '@preact/signals';
import { render } from 'preact';
import { unmistakable } from '../core/text/printable.js';
import { Header } from './header.js';
import { Panels } from './panels.js';
import { followReplies } from './reply.js';
import { Requests } from './requests.js';
import { ShownTask } from './shown-task.js';
import { followAddress, live, notice, travelTo, until, view } from './state.js';
import { Tree } from './tree.js';
import { clock } from './words.js';

function Room() {
  return (
    <>
      <Header />
      <p role="status" class="notice">
        {unmistakable(notice.value)}
      </p>
      {until.value === undefined ? null : (
        <p class="notice">
          This was the session at {clock(until.value)}. Nothing can be changed in the past.{' '}
          <button type="button" onClick={() => travelTo(undefined)}>
            Return to now
          </button>
        </p>
      )}
      <Problems lines={[...live.value.silent, ...view.value.damaged]} />
      <main>
        <Requests />
        <Tree />
        <div class="middle">
          <ShownTask />
          <Panels />
        </div>
      </main>
    </>
  );
}

/** Most problems that are shown in full. */
const MOST_PROBLEMS = 5;

function Problems({ lines }: { readonly lines: readonly string[] }) {
  const more = lines.length - MOST_PROBLEMS;
  return (
    <>
      {lines.slice(0, MOST_PROBLEMS).map((line, index) => (
        <p key={index} role="alert">
          {unmistakable(line)}
        </p>
      ))}
      {more > 0 ? <p role="alert">{more} more of this kind</p> : null}
    </>
  );
}

followAddress();
followReplies();
effect(() => {
  const { length } = live.value.requests;
  document.title = length === 0 ? 'Troupe' : `(${length}) Troupe`;
});
render(<Room />, document.body);
