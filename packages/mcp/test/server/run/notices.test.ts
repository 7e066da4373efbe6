import { describe, expect, it } from 'vitest';
import { Notices } from '../../../src/server/run/notices.ts';
import { ReplyWriter } from '../../../src/server/run/reply-writer.ts';
import { serve } from '../../../src/server/server-session.ts';
import { newSessionCounters } from '../../../src/session/session-stats.ts';
import { endlessTurns } from '../../support/endless-turns.ts';
import { exampleServer, Gate, INITIALIZE } from '../../support/example-server.ts';
import { Wire } from '../../support/wire.ts';

endlessTurns();

function notices() {
  const wire = new Wire();
  const counters = newSessionCounters();
  const made = new Notices(new ReplyWriter(wire, counters), counters);
  return { wire, counters, notices: made };
}

/** What the session's onDrain does. */
function drain(wire: Wire, made: Notices): void {
  wire.isFull = false;
  made.flush();
}

describe('notices to a client that reads fast', () => {
  it('all go out at once, in order', () => {
    const { wire, counters, notices: made } = notices();
    made.progress('1', 'p1');
    made.message('m1');
    made.coalesce('tools', 'c1');
    made.progress('1', 'p2');
    made.coalesce('tools', 'c2');
    made.flush();
    expect(wire.sent).toEqual(['p1', 'm1', 'c1', 'p2', 'c2']);
    expect(counters).toMatchObject({ droppedLogs: 0, mergedNotices: 0 });
  });
});

describe('while the outbox is full', () => {
  it('log messages are dropped and counted', () => {
    const { wire, counters, notices: made } = notices();
    wire.isFull = true;
    made.message('m1');
    made.message('m2');
    drain(wire, made);
    expect(wire.sent).toEqual([]);
    expect(counters.droppedLogs).toBe(2);
  });

  it('the last step of each call waits, and goes out when the client has read on', () => {
    const { wire, counters, notices: made } = notices();
    wire.isFull = true;
    for (let step = 1; step <= 1000; step++) made.progress('1', `a${step}`);
    made.progress('"1"', 'b1');
    expect(wire.sent).toEqual([]);
    drain(wire, made);
    drain(wire, made);
    expect(wire.sent).toEqual(['a1000', 'b1']);
    expect(counters.mergedNotices).toBe(999);
  });

  it('changes with one key become one, others stay apart', () => {
    const { wire, counters, notices: made } = notices();
    wire.isFull = true;
    made.coalesce('tools', 't1');
    made.coalesce('updated mem://a', 'a1');
    made.coalesce('tools', 't2');
    made.coalesce('updated mem://b', 'b1');
    made.forgetChange('updated mem://b');
    drain(wire, made);
    drain(wire, made);
    expect(wire.sent).toEqual(['t2', 'a1']);
    expect(counters.mergedNotices).toBe(1);
  });

  it('what still waits when it is full again goes out at the next drain', () => {
    const { wire, notices: made } = notices();
    wire.isFull = true;
    made.coalesce('tools', 't1');
    made.coalesce('prompts', 'p1');
    made.progress('1', 's1');
    wire.full = true;
    drain(wire, made);
    expect(wire.sent).toEqual(['t1']);
    wire.full = false;
    drain(wire, made);
    expect(wire.sent).toEqual(['t1', 'p1', 's1']);
  });

  it('a newer step that can be sent replaces the one that waits', () => {
    const { wire, notices: made } = notices();
    wire.isFull = true;
    made.progress('1', 's1');
    made.coalesce('tools', 't1');
    wire.isFull = false;
    made.progress('1', 's2');
    made.coalesce('tools', 't2');
    made.flush();
    expect(wire.sent).toEqual(['s2', 't2']);
  });
});

describe('in a session', () => {
  function waitingCall() {
    const gate = new Gate();
    const wire = new Wire();
    const session = serve(exampleServer(gate), wire);
    wire.feed(INITIALIZE);
    wire.feed(
      '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"wait","_meta":{"progressToken":"t"}}}',
    );
    wire.take();
    wire.isFull = true;
    for (const value of [1, 2, 3]) gate.contexts[0]?.progress(value);
    return { gate, wire, session };
  }

  it('the last step comes when the client has read on', () => {
    const { wire, session } = waitingCall();
    expect(wire.sent).toEqual([]);
    wire.drain();
    expect(wire.take().map((frame) => frame.params)).toEqual([{ progressToken: 't', progress: 3 }]);
    expect(session.stats.mergedNotices).toBe(2);
  });

  it('a step that waits never follows the answer', async () => {
    const { gate, wire } = waitingCall();
    gate.open();
    await wire.takeWhen(1);
    wire.drain();
    expect(wire.sent).toEqual([]);
  });

  it('nor a cancel', () => {
    const { wire } = waitingCall();
    wire.feed('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}');
    wire.drain();
    expect(wire.sent).toEqual([]);
  });
});
