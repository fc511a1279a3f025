export const it = {
  "Make one in the account settings of Staffology. It can do what its user can, so use a read-only user.":
    "La crei nelle impostazioni dell’account di Staffology. Permette tutto ciò che può fare il suo utente: scelga un utente di sola lettura.",
  "This key reaches no employer in Staffology. Use the key of a user who may see the employer.":
    "Questa chiave non dà accesso ad alcun datore di lavoro in Staffology. Utilizzi la chiave di un utente che possa vedere il datore di lavoro.",
  "This key does not reach the employer that was connected before. Use the key of a user who may see it.":
    "Questa chiave non dà accesso al datore di lavoro collegato in precedenza. Utilizzi la chiave di un utente che possa vederlo.",
  "Which employer do you want to connect?": "Quale datore di lavoro desidera collegare?",
};
