// Adds a button to each block of code that copies it.
const shownMs = 2_000;

function addButton(block) {
  const frame = document.createElement("div");
  frame.className = "copyable";
  block.before(frame);
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.setAttribute("aria-live", "polite");
  button.textContent = "Copy";
  const show = (text) => {
    button.textContent = text;
    setTimeout(() => (button.textContent = "Copy"), shownMs);
  };
  button.addEventListener("click", () => {
    navigator.clipboard.writeText(block.innerText).then(
      () => show("Copied"),
      () => show("Not copied"),
    );
  });
  frame.append(block, button);
}

// Browsers have a clipboard on https and on the own machine alone.
if (navigator.clipboard)
  for (const block of document.querySelectorAll("pre:not(.output)")) addButton(block);
