// The worker of a live page: answers messages one after the other. A message is {id, name, argument}; the answer {id, ...}
// has what changed, or {id, error}.

let segments = null;

onmessage = ({ data: { id, name, argument } }) => {
  const begin = performance.now();
  try {
    if (name === "load") segments = new Segments(argument);
    else segments[name](argument);
    postMessage({ id, ...segments.answer(), milliseconds: performance.now() - begin });
  } catch (error) {
    postMessage({ id, error: error.message });
  }
};
