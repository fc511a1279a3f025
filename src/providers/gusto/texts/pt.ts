export const pt = {
  "No company was approved. Please continue to Gusto again and choose the one to connect.":
    "Não foi aprovada nenhuma empresa. Volte a Gusto e escolha a que pretende ligar.",
  "This is another company than the one that is connected. Please choose the same one at Gusto.":
    "Esta empresa não é a que está ligada. Escolha a mesma em Gusto.",
  "Nothing of this company may be read. Please approve as its primary administrator, or as one with full access.":
    "Nada desta empresa pode ser lido. Aprove o acesso como administrador principal da empresa, ou como administrador com acesso completo.",
};
