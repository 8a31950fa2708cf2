// The widget of a live view in a notebook: the page is in a frame, and its messages go through the notebook to the program.
export default {
  render({ model, el }) {
    const frame = document.createElement("iframe");
    frame.setAttribute("sandbox", "allow-scripts");
    Object.assign(frame.style, { width: "100%", height: `${model.get("height")}px`, border: 0 });
    frame.srcdoc = model.get("page");
    const ask = ({ source, data }) => { if (source === frame.contentWindow) model.send(data); };
    const answer = (content) => frame.contentWindow?.postMessage(content, "*");
    window.addEventListener("message", ask);
    model.on("msg:custom", answer);
    el.append(frame);
    return () => {
      window.removeEventListener("message", ask);
      model.off("msg:custom", answer);
    };
  },
};
