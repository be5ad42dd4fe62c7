import { render } from 'preact';
import { unmistakable } from '../core/text/printable.js';
import { Board, Budget } from './board.js';
import { Conversation } from './conversation.js';
import { Requests } from './requests.js';
import {
  chosenSession,
  connect,
  isConnected,
  live,
  notice,
  openSession,
  sessions,
  view,
} from './state.js';
import { Clock, Timeline } from './time.js';
import { Tree } from './tree.js';
import { clock } from './words.js';

function Room() {
  return (
    <>
      <header>
        <h1>Troupe</h1>
        <Sessions />
        <Clock />
        <span role="status" class={isConnected.value ? 'connected' : 'lost'}>
          {isConnected.value
            ? `${live.value.troupes.length} running`
            : 'connection lost, trying again'}
        </span>
      </header>
      <p role="status" class="notice">
        {unmistakable(notice.value)}
      </p>
      {[...live.value.silent, ...view.value.damaged].map((line) => (
        <p key={line} role="alert">
          {unmistakable(line)}
        </p>
      ))}
      <main>
        <Tree />
        <div class="middle">
          <Timeline />
          <Conversation />
        </div>
        <aside>
          <Requests />
          <Budget />
          <Board />
        </aside>
      </main>
    </>
  );
}

function Sessions() {
  return (
    <label>
      Session
      <select
        value={chosenSession.value}
        onChange={(event) => openSession(event.currentTarget.value)}
      >
        {sessions.value.map(({ id, status, startedAt = 0, title, prompt = '' }) => (
          <option key={id} value={id}>
            {status} · {clock(startedAt)} · {unmistakable((title ?? prompt).slice(0, 60))}
          </option>
        ))}
      </select>
    </label>
  );
}

connect();
render(<Room />, document.body);
