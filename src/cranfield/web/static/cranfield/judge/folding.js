// On a small screen the buttons that one rarely needs are folded away: the document needs the room.

const others = document.getElementById("others");
const button = others.querySelector(".fold");
button.addEventListener("click", () => {
  button.setAttribute("aria-expanded", String(others.classList.toggle("unfolded")));
});
